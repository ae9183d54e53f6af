package load

const help = `fairlead-bench load sends HTTP/1.1 requests at a fixed rate, from users that have TLS sessions.

Usage: fairlead-bench load URL [flags]

Requests are due at times that don't depend on the server's replies. Latency is measured from these times: a request
that has to wait, because the server keeps all users busy, has that time in its latency. Users return with new
connections, which resume their TLS sessions. The report has how many resumed, and at which backend.

Load
  --rate N              requests per second; 100
  --arrivals KIND       poisson (at random, as from many users) or uniform (at equal distances); poisson
  --for TIME            measured time; 30s
  --warmup TIME         time before it, which is not measured; 2s
  --seed N              of all that is random: the same seed has the same arrivals; 1

Users
  --users N             number of users, each with its own session, cookies and connection; 100
  --think TIME          minimum time from one request of a user to its next; 0s
  --requests N          requests on each connection; after them, the user returns with a new one; 10
  --connections N       connections of each user, after which a new user takes its place; 0 is no limit
  --timeout TIME        limit of a request, from connecting to the end of its reply; 10s

Requests
  --connect ADDRESSES   comma-separated addresses to connect to instead of the URL's host; each connection has one, at random
  --source ADDRESSES    comma-separated addresses of this machine; each connection has one, at random
  --header "NAME: V"    a header; may be repeated
  --backend WHERE       where replies name their backend: header:NAME, or body (its first line); header:X-Backend

TLS, for https
  --tls KIND            how users resume: 1.3 (pre-shared keys; each ticket is used once), 1.2-ticket or 1.2-id; 1.3
  --server-name NAME    server name; the URL's host
  --ca FILE             certificate authorities, in PEM; the system's
  --insecure            accept any certificate
  --hello-packets N     packets in which the ClientHello is sent, 1 to 16; more if one of them is too large; 1

Results
  --json                print one JSON object instead of tables
  --returns FILE        write a JSON line for each return: its user, whether it resumed, and its backend
  --max-lateness TIME   the run is void if the p99 of one of the generator's own delays is above this; 1ms

A run is void if the generator was late, or if this machine had no free port or file. The exit code is then 3, and 1 if
the run could not start, or the file of --returns could not be written. Failed requests don't change the exit code: they are results.

Examples
  fairlead-bench load https://192.0.2.1/ --insecure --rate 500 --users 1000 --requests 1
  fairlead-bench load https://shop.example/ --connect 192.0.2.1 --tls 1.2-id --backend body --json
  fairlead-bench load http://192.0.2.1:8080/ --rate 2000 --users 400 --requests 100
`
