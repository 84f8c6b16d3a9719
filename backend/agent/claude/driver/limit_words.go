package driver

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"beckon/backend/agent"
)

// This file knows a limit that the CLI says in words alone, as it does where the API tells it
// no more: "You've hit your session limit · resets 3:45pm (Europe/Berlin)", "5-hour limit
// reached ∙ resets Oct 6, 1am", "Claude AI usage limit reached|1759708800".

// limitWords begins a text that says so; no more than a line is looked at. The words before
// "limit reached" are named, since the CLI says that of the context, too.
var limitWords = regexp.MustCompile(`(?i)^\W*(you('ve| have) (hit|reached) your( [\w-]+){0,3} limit\b|(claude( ai| code)? )?((usage|session|weekly|5-hour|five-hour|opus|sonnet|rate|plan) ){1,3}limit reached *([|∙·.]|$))`)

// resetWords are when it resets: a time of the clock, before it a day, behind it a zone.
var resetWords = regexp.MustCompile(`(?i)\bresets?( at| on)? (?:([a-z]{3})[a-z]* (\d{1,2}),?(?: at)? )?(\d{1,2})(?::(\d{2}))? ?(am|pm)?\b(?: \(([A-Za-z]+(?:[/_+-]\w+)*)\))?`)

// resetStamp is the same in Unix seconds.
var resetStamp = regexp.MustCompile(`\|(\d{10})\b`)

// windowWords are the windows by what the words call them.
var windowWords = []struct{ word, window string }{
	{"opus", "seven_day_opus"},
	{"sonnet", "seven_day_sonnet"},
	{"weekly", "seven_day"},
	{"session", "five_hour"},
	{"5-hour", "five_hour"},
	{"five-hour", "five_hour"},
}

// saysLimit reports whether a text says that a limit of the plan is reached, which one, and
// when it resets, in milliseconds; "" and 0 where it does not say that.
func saysLimit(text string, now time.Time) (window string, resets int64, says bool) {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if len(line) > 300 || !limitWords.MatchString(line) {
		return "", 0, false
	}
	for _, w := range windowWords {
		if strings.Contains(strings.ToLower(line), w.word) {
			window = w.window
			break
		}
	}
	return window, resetIn(line, now), true
}

func resetIn(line string, now time.Time) int64 {
	if stamp := resetStamp.FindStringSubmatch(line); stamp != nil {
		seconds, _ := strconv.ParseInt(stamp[1], 10, 64) // ten digits
		return seconds * 1000
	}
	m := resetWords.FindStringSubmatch(line)
	if m == nil {
		return 0
	}
	if zone, err := time.LoadLocation(m[7]); err == nil && m[7] != "" {
		now = now.In(zone)
	}
	hour, _ := strconv.Atoi(m[4])
	minute, _ := strconv.Atoi(m[5])
	switch half := strings.ToLower(m[6]); {
	case hour > 23 || minute > 59 || half != "" && (hour == 0 || hour > 12):
		return 0
	case half == "pm" && hour < 12:
		hour += 12
	case half == "am" && hour == 12:
		hour = 0
	}
	year, month, day := now.Date()
	if m[2] == "" {
		at := time.Date(year, month, day, hour, minute, 0, 0, now.Location())
		if !at.After(now) {
			at = at.AddDate(0, 0, 1)
		}
		return at.UnixMilli()
	}
	named, err := time.Parse("Jan 2", strings.ToUpper(m[2][:1])+strings.ToLower(m[2][1:])+" "+m[3])
	if err != nil {
		return 0
	}
	at := time.Date(year, named.Month(), named.Day(), hour, minute, 0, 0, now.Location())
	if at.Before(now.AddDate(0, -1, 0)) { // of the next year
		at = at.AddDate(1, 0, 0)
	}
	return at.UnixMilli()
}

// inWords adds to the end of a turn the limit that its words alone say, and what that means
// for the quota: nothing where they name neither a window nor its end, since nothing would end
// what is shown of it. A model's own words are no such: they took tokens.
func inWords(end agent.TurnEnded, output int64, now time.Time) (agent.TurnEnded, []agent.Event) {
	window, resets, says := saysLimit(end.Said, now)
	if !says || end.Interrupted || end.Limited || !end.Failed && output > 0 {
		return end, nil
	}
	end.Failed, end.Limited, end.Resets = true, true, resets
	if window == "" && resets == 0 {
		return end, nil
	}
	return end, []agent.Event{agent.QuotaIs{Window: window, Percent: -1, Resets: resets, Refused: true}}
}
