// The browser's half of transport/shim_js.go. A call from JavaScript into Go
// costs as much as a small packet's whole journey, so packets wait here and Go
// takes all of them with one call and one copy, once a frame. The page may load
// this file; otherwise the game evaluates its own copy.
//
//   foretickSocket(url, event, maxPacket, inbox, outbox, maxBuffered)
//   foretickDatagrams(url, event, maxPacket, inbox, outbox, hashes)
//     -> {take, batch, send, out, close, ...}
//   foretickFetch(url, event) -> {done, ok, text}
//
// event() is called on open and on close only.
(() => {
  // Both ways of a connection. push puts one packet into the carrier, or reports
  // that it has no room.
  const ring = (maxPacket, inbox, outbox, push) => {
    const waiting = [], unsent = [];
    const s = {
      batch: new Uint8Array(inbox * (2 + maxPacket)), // of take: length (2 bytes, little endian), packet, ...
      out: new Uint8Array(maxPacket),                 // of send
      opened: false, closed: false, clean: false, text: false, reason: "",
      sent: 0, sentBytes: 0, received: 0, receivedBytes: 0, replaced: 0, overrun: 0, badSize: 0,
      take() { // returns the bytes of batch that are filled, -1 if there will be no more
        s.flush();
        let n = 0;
        for (const p of waiting) {
          s.batch[n] = p.byteLength & 255;
          s.batch[n + 1] = p.byteLength >> 8;
          s.batch.set(p, n + 2);
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
        s.flush();
      },
      flush() { // as much as does not just grow old in the browser's own queue
        while (unsent.length && push(unsent[0])) {
          s.sent++;
          s.sentBytes += unsent.shift().byteLength;
        }
        return unsent.length;
      },
      arrived(p) {
        if (p.byteLength === 0 || p.byteLength > maxPacket) {
          s.badSize++;
          return;
        }
        s.received++;
        s.receivedBytes += p.byteLength;
        if (waiting.length === inbox) {
          waiting.shift();
          s.overrun++;
        }
        waiting.push(p);
      },
      rest: () => unsent.splice(0),
    };
    return s;
  };

  globalThis.foretickSocket = (url, event, maxPacket, inbox, outbox, maxBuffered) => {
    const ws = new WebSocket(url);
    ws.binaryType = "arraybuffer";
    const s = ring(maxPacket, inbox, outbox, (p) => {
      if (ws.readyState !== WebSocket.OPEN || ws.bufferedAmount >= maxBuffered) return false;
      ws.send(p);
      return true;
    });
    s.close = (reason) => {
      if (ws.readyState === WebSocket.OPEN)
        for (const p of s.rest()) ws.send(p);
      ws.close(1000, reason);
    };
    ws.onopen = () => { s.opened = true; event(); };
    ws.onmessage = (e) => {
      if (typeof e.data === "string") {
        s.text = true;
        ws.close(4003, "text messages are refused");
        return;
      }
      s.arrived(new Uint8Array(e.data));
    };
    ws.onclose = (e) => {
      s.closed = true;
      s.clean = e.wasClean;
      s.reason = e.reason;
      event();
    };
    return s;
  };

  // hashes: SHA-256 of the certificates to accept, 32 bytes each, none: those
  // that the browser trusts.
  globalThis.foretickDatagrams = (url, event, maxPacket, inbox, outbox, hashes) => {
    const options = { allowPooling: false, requireUnreliable: true, congestionControl: "low-latency" };
    if (hashes.length) {
      options.serverCertificateHashes = [];
      for (let i = 0; i < hashes.length; i += 32)
        options.serverCertificateHashes.push({ algorithm: "sha-256", value: hashes.slice(i, i + 32) });
    }
    const wt = new WebTransport(url, options);
    let writer = null, again = false;
    const s = ring(maxPacket, inbox, outbox, (p) => {
      if (!writer || s.closed) return false;
      if (p.byteLength > wt.datagrams.maxDatagramSize) {
        s.badSize++;
        return true;
      }
      if (!(writer.desiredSize > 0)) {
        if (!again) {
          again = true;
          writer.ready.then(() => { again = false; s.flush(); }, () => {});
        }
        return false;
      }
      writer.write(p).catch(() => {});
      return true;
    });
    const end = (clean, reason) => {
      if (s.closed) return;
      s.closed = true;
      s.clean = clean;
      s.reason = reason || "";
      event();
    };
    s.close = (reason) => {
      const bye = () => { try { wt.close({ closeCode: 0, reason }); } catch { } };
      if (!writer) return bye();
      const last = s.rest().map((p) => writer.write(p));
      Promise.race([Promise.allSettled(last), new Promise((r) => setTimeout(r, 100))]).then(bye);
    };
    wt.ready.then(async () => {
      const d = wt.datagrams;
      d.incomingHighWaterMark = inbox; // a slow frame must not lose what a fast one would take
      d.outgoingHighWaterMark = 2;
      d.outgoingMaxAge = 100;          // ms: an input older than that has been repeated
      writer = d.writable.getWriter(); // createWritable is not there yet
      writer.closed.catch(() => {});
      s.opened = true;
      event();
      const reader = d.readable.getReader();
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        s.arrived(value);
      }
    }).catch(() => {}); // closed tells
    wt.closed.then((e) => end(true, e && e.reason), (e) => end(false, e && e.message));
    return s;
  };

  globalThis.foretickFetch = (url, event) => {
    const f = { done: false, ok: false, text: "" };
    fetch(url, { cache: "no-store" }).then(async (r) => { f.text = (await r.text()).slice(0, 4096); f.ok = r.ok; })
      .catch((e) => { f.text = e.message; }).finally(() => { f.done = true; event(); });
    return f;
  };
})();
