package check

import "testing"

func TestKeyForAnyName(t *testing.T) {
	for name, want := range map[string]string{
		"kestrel": "KES", "my-app": "MYA", "go": "GO", "x": "PRJ", "": "PRJ", "日本": "PRJ", "3d engine": "DEN", "Über": "BER",
	} {
		if got := KeyFor(name); got != want || !ValidKey(got) {
			t.Errorf("KeyFor(%q) = %q, want %q, a valid key", name, got, want)
		}
	}
}

func TestValidKey(t *testing.T) {
	for key, want := range map[string]bool{
		"KES": true, "K2": true, "ABCDE": true,
		"": false, "K": false, "ABCDEF": false, "kes": false, "2K": false, "K-S": false, "KÜ": false, "../": false, "--": false,
	} {
		if got := ValidKey(key); got != want {
			t.Errorf("ValidKey(%q) = %v, want %v", key, got, want)
		}
	}
}
