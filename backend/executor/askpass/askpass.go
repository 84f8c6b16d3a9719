// Package askpass has the user answer what ssh asks: whether an unknown key is the right
// machine's, a passphrase, a password. ssh starts Beckon's program for each question; that
// passes it to the Beckon that runs, and the answer back to ssh.
//
// A question waits without a clock, one at a time, and outlives the ssh that asked it: the
// other machine hangs up long before some users come back. The answer is then handed to
// the next ssh that asks the same, once. Answers are in memory only, and only until the
// connection stands or fails. Package ssh starts the processes.
package askpass

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
)

// Var makes a process ask for ssh; it has the path of the socket to ask at.
const Var = "BECKON_ASKPASS"

// hintVar has ssh's word for the kind of question, where it is not for a secret.
const hintVar = "SSH_ASKPASS_PROMPT"

// promptMost is how much of a question is passed on, in bytes.
const promptMost = 16 << 10

// request is a question on the way to the Beckon that runs, and reply its answer.
type request struct {
	Hint   string `json:"hint"`
	Prompt string `json:"prompt"`
}

type reply struct {
	Text string `json:"text"`
}

// Environ returns what makes an ssh start the program to ask at the socket.
func Environ(program, socket string) []string {
	return []string{"SSH_ASKPASS=" + program, "SSH_ASKPASS_REQUIRE=force", Var + "=" + socket}
}

// Main asks the question that ssh started this process for, prints the answer, and
// returns the exit status: 1 where the user refused, or nobody is there to ask.
func Main(socket string, args []string, stdout io.Writer) int {
	conn, err := new(net.Dialer).DialContext(context.Background(), "unix", socket)
	if err != nil {
		return 1
	}
	defer func() { _ = conn.Close() }()
	prompt := strings.Join(args, " ")
	if len(prompt) > promptMost {
		prompt = prompt[:promptMost]
	}
	var answer reply
	if json.NewEncoder(conn).Encode(request{os.Getenv(hintVar), prompt}) != nil || json.NewDecoder(conn).Decode(&answer) != nil {
		return 1
	}
	if _, err := fmt.Fprintln(stdout, answer.Text); err != nil {
		return 1
	}
	return 0
}
