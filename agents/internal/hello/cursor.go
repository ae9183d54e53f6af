package hello

// cursor reads from the front.
type cursor struct{ left []byte }

func (c *cursor) take(bytes int) ([]byte, bool) {
	if len(c.left) < bytes {
		return nil, false
	}
	taken := c.left[:bytes]
	c.left = c.left[bytes:]
	return taken, true
}

// number reads a big-endian number of this size.
func (c *cursor) number(bytes int) (number int, ok bool) {
	taken, ok := c.take(bytes)
	for _, each := range taken {
		number = number<<8 | int(each)
	}
	return number, ok
}

// vector reads a length of this size, and the content of that length.
func (c *cursor) vector(bytes int) (cursor, bool) {
	length, ok := c.number(bytes)
	if !ok {
		return cursor{}, false
	}
	taken, ok := c.take(length)
	return cursor{taken}, ok
}
