package web

import (
	jsonv2 "github.com/go-json-experiment/json"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// pieceSize is how much is sent at once of what is larger: a page of a transcript is, and
// a frame with long texts, and neither need be in memory once more as JSON.
const pieceSize = 32 << 10

// pieces collects what is written and sends it, piece by piece.
type pieces struct {
	buf  []byte
	send func(piece []byte, last bool) error
}

func (p *pieces) Write(b []byte) (int, error) {
	if len(p.buf)+len(b) > pieceSize {
		if err := p.flush(false); err != nil {
			return 0, err
		}
	}
	if len(b) > pieceSize {
		return len(b), p.send(b, false)
	}
	p.buf = append(p.buf, b...)
	return len(b), nil
}

func (p *pieces) flush(last bool) error {
	piece := p.buf
	p.buf = p.buf[:0]
	if len(piece) == 0 && !last {
		return nil
	}
	return p.send(piece, last)
}

// encode sends a value as encoding/json writes it. What fits into one piece is sent when
// all of it is known, as the last.
func (s *Server) encode(value any, send func(piece []byte, last bool) error) error {
	p, ok := s.pieces.Get().(*pieces)
	if !ok {
		p = new(pieces)
	}
	p.buf, p.send = p.buf[:0], send
	defer func() {
		p.send = nil
		s.pieces.Put(p)
	}()
	if err := jsonv2.MarshalWrite(p, value, jsonv1.DefaultOptionsV1()); err != nil {
		return err
	}
	return p.flush(true)
}
