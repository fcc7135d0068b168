package transport

import _ "net"
