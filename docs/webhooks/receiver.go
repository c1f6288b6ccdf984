package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"log"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

type event struct {
	ID   string          `json:"id"`
	Type string          `json:"type"`
	Data json.RawMessage `json:"data"`
}

var seen sync.Map // Keep these ids for eight days, in your database.

// verify checks a body exactly as it came. Two signatures stand there while a secret is being rotated.
func verify(secret string, header http.Header, body []byte) error {
	id, sent := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(sent, 10, 64)
	if err != nil || math.Abs(float64(time.Now().Unix()-seconds)) > 300 {
		return errors.New("more than five minutes off")
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return err
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + sent + "."))
	mac.Write(body)
	right := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, given := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(given), []byte(right)) {
			return nil
		}
	}
	return errors.New("wrong signature")
}

func receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64_000))
	if err != nil || verify(os.Getenv("WEBHOOK_SECRET"), r.Header, body) != nil {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var e event
	if json.Unmarshal(body, &e) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if e.Type == "endpoint.verify" {
		var data struct{ Code string }
		_ = json.Unmarshal(e.Data, &data)
		_, _ = io.WriteString(w, data.Code)
		return
	}
	w.WriteHeader(http.StatusNoContent)
	if _, again := seen.LoadOrStore(e.ID, true); !again {
		go log.Println(e.Type, e.ID)
	}
}

func main() {
	http.HandleFunc("/", receive)
	log.Fatal(http.ListenAndServe("127.0.0.1:8000", nil))
}
