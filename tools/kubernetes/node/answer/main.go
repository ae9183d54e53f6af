// Command answer replies, by HTTP or UDP, with its instance's name and the client's address.
package main

import (
	"encoding/json"
	"flag"
	"log"
	"net"
	"net/http"
	"os"
)

type answer struct {
	Instance string `json:"instance"`
	Client   string `json:"client"`
}

func main() {
	address := flag.String("listen", ":8080", "where to answer, by TCP and UDP")
	flag.Parse()
	instance, err := os.Hostname()
	if err != nil {
		log.Fatal(err)
	}
	go datagrams(*address, instance)
	log.Fatal(http.ListenAndServe(*address, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("content-type", "application/json")
		json.NewEncoder(w).Encode(answer{instance, r.RemoteAddr})
	})))
}

func datagrams(address, instance string) {
	conn, err := net.ListenPacket("udp", address)
	if err != nil {
		log.Fatal(err)
	}
	buffer := make([]byte, 2048)
	for {
		_, client, err := conn.ReadFrom(buffer)
		if err != nil {
			log.Fatal(err)
		}
		reply, _ := json.Marshal(answer{instance, client.String()})
		conn.WriteTo(reply, client)
	}
}
