// The browser's half of transport/ws_js.go. A call from JavaScript into Go costs
// as much as a small packet's whole journey, so messages wait here and Go takes
// all of them with one call and one copy, once a frame. The page may load this
// file; otherwise the game evaluates its own copy.
//
//   foretickSocket(url, event, limits) -> {take, batch, send, out, close, ...}
//
// event() is called on open and on close only.
globalThis.foretickSocket = (url, event, maxPacket, inbox, outbox, maxBuffered) => {
  const ws = new WebSocket(url);
  ws.binaryType = "arraybuffer";
  const waiting = [], unsent = [];
  const s = {
    batch: new Uint8Array(inbox * (2 + maxPacket)), // of take: length (2 bytes, little endian), packet, ...
    out: new Uint8Array(maxPacket),                 // of send
    opened: false, closed: false, clean: false, text: false, reason: "",
    sent: 0, sentBytes: 0, received: 0, receivedBytes: 0, replaced: 0, overrun: 0, badSize: 0,
    take() { // returns the bytes of batch that are filled, -1 if there will be no more
      flush();
      let n = 0;
      for (const p of waiting) {
        s.batch[n] = p.byteLength & 255;
        s.batch[n + 1] = p.byteLength >> 8;
        s.batch.set(new Uint8Array(p), n + 2);
        n += 2 + p.byteLength;
      }
      waiting.length = 0;
      return n || !s.closed ? n : -1;
    },
    send(n) { // the first n bytes of out
      if (unsent.length === outbox) {
        unsent.shift(); // the newest packets win
        s.replaced++;
      }
      unsent.push(s.out.slice(0, n));
      flush();
    },
    close(reason) {
      if (ws.readyState === WebSocket.OPEN)
        for (const p of unsent) ws.send(p);
      unsent.length = 0;
      ws.close(1000, reason);
    },
  };
  const flush = () => { // as much as does not just grow old in the browser's own queue
    while (unsent.length && ws.readyState === WebSocket.OPEN && ws.bufferedAmount < maxBuffered) {
      const p = unsent.shift();
      ws.send(p);
      s.sent++;
      s.sentBytes += p.byteLength;
    }
  };
  ws.onopen = () => { s.opened = true; event(); };
  ws.onmessage = (e) => {
    if (typeof e.data === "string") {
      s.text = true;
      ws.close(4003, "text messages are refused");
      return;
    }
    const n = e.data.byteLength;
    if (n === 0 || n > maxPacket) {
      s.badSize++;
      return;
    }
    s.received++;
    s.receivedBytes += n;
    if (waiting.length === inbox) {
      waiting.shift();
      s.overrun++;
    }
    waiting.push(e.data);
  };
  ws.onclose = (e) => {
    s.closed = true;
    s.clean = e.wasClean;
    s.reason = e.reason;
    event();
  };
  return s;
};
