package view

import (
	"errors"
	"strings"
	"testing"
)

func TestAButtonMeansWhatItMeantWhereItWasPut(t *testing.T) {
	t.Parallel()
	k, id := NewKey(), "Q2XK4M7A"
	for _, verb := range strings.Split(verbs, "") {
		for _, at := range [][2]int{{0, 0}, {3, 9}, {9, 99}} {
			want := Callback{Verb(verb), id, at[0], at[1]}
			data := k.Data(-1001234567890, want)
			got, err := k.Parse(-1001234567890, data)
			if err != nil || got != want || len(data) > 24 {
				t.Errorf("%q: %+v, %v, %d bytes", data, got, err, len(data))
			}
		}
	}
}

func TestAForgedOrForwardedButtonDoesNothing(t *testing.T) {
	t.Parallel()
	k, c := NewKey(), Callback{Choose, "ABCDEFGH", 1, 3}
	data := k.Data(5, c)
	for what, forged := range map[string]string{
		"another option": strings.Replace(data, ".13.", ".12.", 1),
		"another verb":   "a" + data[1:],
		"another id":     "oABCDEFGI" + data[9:],
		"a zero before":  strings.Replace(data, ".13.", ".103.", 1),
		"a sign":         strings.Replace(data, ".13.", ".1+3.", 1),
		"more behind":    data + "0",
		"less":           data[:len(data)-1],
		"upper case":     strings.ToUpper(data),
		"nothing":        "",
		"dots":           "..",
		"long":           strings.Repeat("x", 100),
	} {
		if _, err := k.Parse(5, forged); !errors.Is(err, ErrForged) {
			t.Errorf("%s: %q is taken", what, forged)
		}
	}
	if _, err := k.Parse(6, data); !errors.Is(err, ErrForged) {
		t.Error("a button works in another chat")
	}
	if _, err := NewKey().Parse(5, data); !errors.Is(err, ErrForged) {
		t.Error("a button of another installation works")
	}
}

func FuzzParse(f *testing.F) {
	k := Key("a key of tests")
	f.Add(k.Data(5, Callback{Choose, "ABCDEFGH", 1, 3}))
	f.Add("oABCDEFGH.13.00000000")
	f.Fuzz(func(t *testing.T, data string) {
		c, err := k.Parse(5, data)
		if err == nil && k.Data(5, c) != data {
			t.Errorf("%q is taken for %+v", data, c)
		}
	})
}
