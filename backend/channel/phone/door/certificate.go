package door

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
)

// Certificate is a pair of files that may be replaced while Beckon runs, as programs do
// that renew certificates.
type Certificate struct {
	certFile, keyFile string

	mu     sync.Mutex
	loaded *tls.Certificate
	of     [2]stamp // of the files that it was read from, or that were no pair
	wrong  bool     // the files are not there, or no pair
}

// stamp tells a file from the one that comes into its place.
type stamp struct {
	size int64
	at   time.Time
}

// LoadCertificate reads a certificate and its key. Its errors say which file is
// missing or broken.
func LoadCertificate(certFile, keyFile string) (*Certificate, error) {
	c := &Certificate{certFile: certFile, keyFile: keyFile}
	of, err := c.stamps()
	if err != nil {
		return nil, err
	}
	loaded, err := c.read()
	if err != nil {
		return nil, err
	}
	c.loaded, c.of = loaded, of
	return c, nil
}

// Get returns the certificate of the files as they are. While they are no pair, as
// between the writing of one and of the other, it is the one before. note gets what
// is wrong with files that changed, and nil once nothing is.
func (c *Certificate) Get(note func(error)) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	of, err := c.stamps()
	if err == nil && of == c.of && !c.wrong {
		return c.loaded, nil
	}
	if err == nil {
		c.of = of
		var loaded *tls.Certificate
		if loaded, err = c.read(); err == nil {
			c.loaded = loaded
		}
	}
	c.wrong = err != nil
	note(err)
	return c.loaded, nil
}

func (c *Certificate) stamps() (of [2]stamp, err error) {
	for i, name := range []string{c.certFile, c.keyFile} {
		info, err := os.Stat(name)
		if err != nil {
			return of, fmt.Errorf("the certificate's files: %w", err)
		}
		if !info.Mode().IsRegular() {
			return of, fmt.Errorf("the certificate's files: %s is no file", name)
		}
		of[i] = stamp{info.Size(), info.ModTime()}
	}
	return of, nil
}

func (c *Certificate) read() (*tls.Certificate, error) {
	pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err != nil {
		return nil, fmt.Errorf("the certificate of %s and the key of %s cannot be used: %w", c.certFile, c.keyFile, err)
	}
	if pair.Leaf == nil {
		if pair.Leaf, err = x509.ParseCertificate(pair.Certificate[0]); err != nil {
			return nil, errors.Join(fmt.Errorf("the certificate of %s cannot be used", c.certFile), err)
		}
	}
	if time.Now().After(pair.Leaf.NotAfter) {
		return nil, fmt.Errorf("the certificate of %s ended on %s", c.certFile, pair.Leaf.NotAfter.Format(time.DateOnly))
	}
	return &pair, nil
}
