package impair

import (
	_ "context"      // want `may not import context`
	_ "crypto/rand"  // want `may not import crypto/rand`
	_ "flag"         // want `may not import flag`
	_ "hash/maphash" // want `may not import hash/maphash`
	_ "log"          // want `may not import log`
	_ "log/slog"     // want `may not import log/slog`
	_ "math/rand"    // want `may not import math/rand`
	_ "math/rand/v2" // want `may not import math/rand/v2`
	_ "net"          // want `may not import net`
	_ "net/url"      // want `may not import net/url`
	_ "os"           // want `may not import os`
	_ "os/exec"      // want `may not import os/exec`
	_ "runtime"      // want `may not import runtime`
	_ "sync"         // want `may not import sync`
	_ "sync/atomic"  // want `may not import sync/atomic`
	_ "syscall"      // want `may not import syscall`
)
