package peer

// It reads requests and may choose another backend for each; clients keep their
// connections to it.
var haproxyHTTPConfig = haproxyIn("http")
