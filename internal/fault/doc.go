// Package fault plants faults, so that a test can show that a check finds
// them. The code of a fault stands where it does its harm:
//
//	if fault.Is("server drops its executed log") {
//		return
//	}
//
// Without the build tag "fault" Is is constant false and the branch is not
// compiled. With it, one fault at a time can be planted. It is state at package
// level: for tests and the lab only, one goroutine at a time.
package fault
