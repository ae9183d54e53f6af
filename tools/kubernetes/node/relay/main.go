// Command relay makes one server of its machine, and nothing else, reachable from a network namespace: it
// listens inside and connects outside.
package main

import (
	"flag"
	"io"
	"log"
	"net"
	"os"
	"runtime"
	"sync"

	"golang.org/x/sys/unix"
)

func main() {
	namespace := flag.String("namespace", "", "the file of the network namespace to listen in")
	listen := flag.String("listen", "", "the address to listen at")
	to := flag.String("to", "", "the address to lead to")
	flag.Parse()
	listener, err := listenIn(*namespace, *listen)
	if err != nil {
		log.Fatal(err)
	}
	for {
		near, err := listener.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go carry(near.(*net.TCPConn), *to)
	}
}

// listenIn opens the listener on its own thread, which stays in the namespace and therefore ends with its
// goroutine.
func listenIn(namespace, address string) (listener net.Listener, err error) {
	var done sync.WaitGroup
	done.Go(func() {
		runtime.LockOSThread()
		var file *os.File
		if file, err = os.Open(namespace); err != nil {
			return
		}
		defer file.Close()
		if err = unix.Setns(int(file.Fd()), unix.CLONE_NEWNET); err != nil {
			return
		}
		listener, err = net.Listen("tcp", address)
	})
	done.Wait()
	return listener, err
}

func carry(near *net.TCPConn, to string) {
	defer near.Close()
	dialed, err := net.Dial("tcp", to)
	if err != nil {
		return
	}
	far := dialed.(*net.TCPConn)
	defer far.Close()
	var both sync.WaitGroup
	for _, way := range [][2]*net.TCPConn{{near, far}, {far, near}} {
		both.Go(func() {
			io.Copy(way[1], way[0])
			way[1].CloseWrite()
		})
	}
	both.Wait()
}
