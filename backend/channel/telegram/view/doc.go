// Package view shows agents' questions as Telegram messages with buttons, and
// knows what a pressed button or a reply makes of one.
//
// All of it is pure: a question and how far it was answered make a message, a
// press makes the next state and what is to be done. Labels and answers never
// travel, only their numbers, signed. The package knows no chat's rights and
// sends nothing.
package view
