package check

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"

	"github.com/mattn/go-shellwords"
)

// agentName is what kinds of agents are called in rows.
var agentName = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// soundAgent refuses what cannot be the name of a kind of agent. Whether there is one, its
// start says.
func soundAgent(name string) error {
	if name == "" || len(name) <= beckon.MaxAgentName && agentName.MatchString(name) {
		return nil
	}
	return beckon.Invalid("%.80q is no agent's name", name)
}

// ownAgents refuses what agents of the user's own cannot be.
func ownAgents(list []beckon.OwnAgent) error {
	if len(list) > beckon.MaxOwnAgents {
		return beckon.Invalid("at most %d agents can be added", beckon.MaxOwnAgents)
	}
	for i, a := range list {
		words, err := shellwords.Parse(a.Command)
		switch {
		case !strings.HasPrefix(a.Name, beckon.OwnPrefix) || soundAgent(a.Name) != nil:
			return beckon.Invalid("%.80q is no agent's name", a.Name)
		case slices.ContainsFunc(list[:i], func(b beckon.OwnAgent) bool { return b.Name == a.Name }):
			return beckon.Invalid("there are two agents named %s", a.Name)
		case strings.TrimSpace(a.Label) == "" || len(a.Label) > beckon.MaxAgentName || strings.ContainsFunc(a.Label, unicode.IsControl):
			err := beckon.Invalid("an agent's name is one line of 1 to %d bytes", beckon.MaxAgentName)
			return problem.New(problem.AgentLabel, err, "most", strconv.Itoa(beckon.MaxAgentName))
		case err != nil || len(words) == 0 || len(a.Command) > beckon.MaxAgentCommand || strings.ContainsFunc(a.Command, unicode.IsControl):
			return problem.New(problem.AgentCommand, beckon.Invalid("%.80q is no command line", a.Command))
		case slices.ContainsFunc(a.Variables, func(name string) bool { return !variable.MatchString(name) }):
			return problem.New(problem.AgentVariables, beckon.Invalid("the names of variables have letters, digits and underscores, not %.200q", a.Variables))
		}
	}
	return nil
}

// variable is the name of a variable, or how several begin.
var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*\*?$`)
