package program

// FollowsSYN reports whether a segment follows the SYN that was noted on the ports of a flow. Then it is of the next
// connection there, which the engine doesn't know yet.
func (f *TcxFlow) FollowsSYN(number uint32) bool {
	syn := uint32(f.Syn[0]) | uint32(f.Syn[1])<<8 | uint32(f.Syn[2])<<16
	return syn != 0 && (number-1-syn)&uint32(SessionSynLimitsSYN_BITS) < uint32(SessionSynLimitsFIRST_BYTES)
}
