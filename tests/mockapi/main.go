// Command mockapi is a scripted stand-in for the Anthropic Messages API.
//
// It exists so that the real `claude` CLI can be run without any network: it
// plays back a scripted conversation over SSE and records every request the
// CLI makes, so that a test can assert what the model would have seen.
//
//	mockapi -addr 127.0.0.1:8899 -script script.json -log requests.ndjson
//
// See README.md for the script format. Standard library only.
package main

import (
	"flag"
	"log"
	"net"
	"net/http"
	"os"
	"regexp"
	"time"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8899", "loopback address to listen on (port 0: any)")
	script := flag.String("script", "", "script file (JSON); without it every answer is a short text")
	logPath := flag.String("log", "", "append every request to this file, one JSON object a line")
	full := flag.Bool("log-full", false, "also log system prompts and tool definitions")
	ready := flag.String("ready", "", "write the base URL to this file once listening")
	auxSystem := flag.String("aux-system", "", "regular expression: requests whose system prompt matches are auxiliary")
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("mockapi: ")

	sc, err := loadScript(*script)
	if err != nil {
		log.Fatal(err)
	}
	srv := &server{script: sc, full: *full, started: time.Now(), cursors: map[string]int{}}
	if *auxSystem != "" {
		if srv.sysAux, err = regexp.Compile(*auxSystem); err != nil {
			log.Fatal(err)
		}
	}
	if *logPath != "" {
		f, err := os.OpenFile(*logPath, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err != nil {
			log.Fatal(err)
		}
		defer f.Close()
		srv.logw = f
	}
	host, _, err := net.SplitHostPort(*addr)
	if err != nil {
		log.Fatal(err)
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		log.Fatalf("refusing to listen on %s: loopback addresses only", *addr)
	}
	ln, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	url := "http://" + ln.Addr().String()
	if *ready != "" {
		if err := os.WriteFile(*ready, []byte(url+"\n"), 0o644); err != nil {
			log.Fatal(err)
		}
	}
	log.Printf("listening on %s, %d scripted turns", url, len(sc.Turns))
	log.Fatal(http.Serve(ln, srv))
}
