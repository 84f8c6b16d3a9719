package pushtest

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// authorized checks that a request is of the holder of a public key, as RFC 8292
// has it.
func authorized(header, application string) error {
	parts := regexp.MustCompile(`^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), ?k=([\w-]+)$`).FindStringSubmatch(header)
	if parts == nil {
		return fmt.Errorf("%q is no vapid", header)
	}
	if parts[4] != application {
		return errors.New("the key is not that of the subscription")
	}
	if err := signed(parts[1]+"."+parts[2], parts[3], parts[4]); err != nil {
		return err
	}
	var head struct{ Typ, Alg string }
	var claims struct {
		Aud, Sub string
		Exp      int64
	}
	if err := errors.Join(part(parts[1], &head), part(parts[2], &claims)); err != nil {
		return err
	}
	until := time.Until(time.Unix(claims.Exp, 0))
	switch {
	case head.Alg != "ES256" || head.Typ != "JWT":
		return fmt.Errorf("the token is %+v", head)
	case claims.Aud != origin:
		return fmt.Errorf("the token is for %q, not %q", claims.Aud, origin)
	case until <= 0 || until > 24*time.Hour:
		return fmt.Errorf("the token holds for %s", until)
	case !strings.HasPrefix(claims.Sub, "mailto:") && !strings.HasPrefix(claims.Sub, "https://"):
		return fmt.Errorf("the token's contact is %q", claims.Sub)
	}
	return nil
}

func part(text string, into any) error {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, into)
}

// signed checks an ES256 signature.
func signed(text, signature, key string) error {
	raw, err := base64.RawURLEncoding.DecodeString(key)
	if err != nil {
		return err
	}
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), raw)
	if err != nil {
		return err
	}
	s, err := base64.RawURLEncoding.DecodeString(signature)
	if err != nil || len(s) != 64 {
		return fmt.Errorf("a signature of %d bytes, %w", len(s), err)
	}
	sum := sha256.Sum256([]byte(text))
	if !ecdsa.Verify(public, sum[:], new(big.Int).SetBytes(s[:32]), new(big.Int).SetBytes(s[32:])) {
		return errors.New("the signature is wrong")
	}
	return nil
}

// read checks what RFC 8030 wants of a message, and decrypts it.
func read(r *http.Request, body []byte, p *Phone) (Message, error) {
	seconds, err := strconv.ParseUint(r.Header.Get("TTL"), 10, 31)
	if err != nil {
		return Message{}, fmt.Errorf("TTL: %w", err)
	}
	m := Message{TTL: time.Duration(seconds) * time.Second, Topic: r.Header.Get("Topic"), Urgency: r.Header.Get("Urgency"), Body: len(body)}
	switch {
	case r.Method != http.MethodPost:
		return m, errors.New("it comes by " + r.Method)
	case r.Header.Get("Content-Encoding") != "aes128gcm":
		return m, fmt.Errorf("it is encoded as %q", r.Header.Get("Content-Encoding"))
	case !regexp.MustCompile(`^[\w-]{1,32}$`).MatchString(m.Topic):
		return m, fmt.Errorf("the topic %q", m.Topic)
	case !regexp.MustCompile(`^(very-low|low|normal|high)$`).MatchString(m.Urgency):
		return m, fmt.Errorf("the urgency %q", m.Urgency)
	}
	text, err := decrypt(body, p.private, p.auth)
	if err != nil {
		return m, err
	}
	m.Size = len(text)
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	said := struct {
		ID, Key, Kind, Title, Text *string
		Close                      bool
	}{&m.ID, &m.Key, &m.Kind, &m.Title, &m.Text, false}
	err = d.Decode(&said)
	m.Close = said.Close
	return m, err
}

// The sizes of RFC 8188 and RFC 8291.
const (
	saltSize   = 16
	publicSize = 65
	headSize   = saltSize + 4 + 1 + publicSize
	tagSize    = 16
)

// decrypt reads a message as RFC 8291 has it, in one record.
func decrypt(body []byte, private *ecdh.PrivateKey, auth []byte) ([]byte, error) {
	if len(body) < headSize+tagSize+1 || body[saltSize+4] != publicSize {
		return nil, fmt.Errorf("the head of a message of %d bytes is wrong", len(body))
	}
	salt, sender := body[:saltSize], body[saltSize+5:headSize]
	if size := binary.BigEndian.Uint32(body[saltSize:]); int(size) < len(body)-headSize {
		return nil, fmt.Errorf("records of %d bytes, and it has %d", size, len(body)-headSize)
	}
	open, nonce, err := keysOf(private, auth, salt, sender)
	if err != nil {
		return nil, err
	}
	padded, err := open.Open(nil, nonce, body[headSize:], nil)
	if err != nil {
		return nil, err
	}
	text := bytes.TrimRight(padded, "\x00")
	if len(text) == 0 || text[len(text)-1] != 2 {
		return nil, errors.New("the last record does not end as such")
	}
	return text[:len(text)-1], nil
}

// keysOf derives what opens a message.
func keysOf(private *ecdh.PrivateKey, auth, salt, sender []byte) (cipher.AEAD, []byte, error) {
	public, err := ecdh.P256().NewPublicKey(sender)
	if err != nil {
		return nil, nil, err
	}
	shared, err := private.ECDH(public)
	if err != nil {
		return nil, nil, err
	}
	info := "WebPush: info\x00" + string(private.PublicKey().Bytes()) + string(sender)
	ikm, err := hkdf.Key(sha256.New, shared, auth, info, 32)
	if err != nil {
		return nil, nil, err
	}
	key, err := hkdf.Key(sha256.New, ikm, salt, "Content-Encoding: aes128gcm\x00", 16)
	if err != nil {
		return nil, nil, err
	}
	nonce, err := hkdf.Key(sha256.New, ikm, salt, "Content-Encoding: nonce\x00", 12)
	if err != nil {
		return nil, nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, nil, err
	}
	opened, err := cipher.NewGCM(block)
	return opened, nonce, err
}
