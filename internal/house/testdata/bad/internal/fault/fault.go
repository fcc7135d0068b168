package fault
