package view

import (
	"crypto/sha256"
	"encoding/base32"
)

// TaskID is the short id under which buttons name a task.
func TaskID(taskID string) string {
	sum := sha256.Sum256([]byte(taskID))
	return base32.StdEncoding.EncodeToString(sum[:5])
}

// StopRow is the button that stops a task's agent, key being what people call it.
func StopRow(k Key, chat int64, taskID, key string, w Words) []Button {
	return []Button{stopButton(k, chat, taskID, w.Stop+" "+key, Stop)}
}

// ReallyStop asks for the second press.
func ReallyStop(k Key, chat int64, taskID string, w Words) Keyboard {
	return Keyboard{[][]Button{
		{stopButton(k, chat, taskID, w.GoBack, StopNot)},
		{stopButton(k, chat, taskID, w.StopReally, StopNow)},
	}}
}

func stopButton(k Key, chat int64, taskID, label string, verb Verb) Button {
	return Button{Text: label, Data: k.Data(chat, Callback{Verb: verb, ID: TaskID(taskID)})}
}
