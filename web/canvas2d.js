// Draws the flat shapes of a picture (sim.Picture) with a 2D canvas: the page
// where there is no WebGL or no three.js, and the markings on a scene's ground.

export const headSize = 16, shapeSize = 8;
const [MINX, MINY, MAXX, MAXY] = [1, 2, 3, 4];
const [CIRCLE, RECT, LINE, NUMBER] = [0, 1, 2, 3];

const colour = (n) => "#" + n.toString(16).padStart(6, "0");

// paint draws what array a holds, a head and shapes, over w by h pixels of pen.
export const paint = (pen, a, shapes, w, h) => {
  const zoom = Math.min(w / (a[MAXX] - a[MINX]), h / (a[MAXY] - a[MINY]));
  if (!(zoom > 0) || !isFinite(zoom)) return;
  pen.setTransform(zoom, 0, 0, -zoom, w / 2 - zoom * (a[MINX] + a[MAXX]) / 2, h / 2 + zoom * (a[MINY] + a[MAXY]) / 2);
  for (let i = headSize, end = headSize + shapes * shapeSize; i < end; i += shapeSize) {
    const x = a[i + 1], y = a[i + 2], p = a[i + 3], q = a[i + 4], line = a[i + 5];
    pen.globalAlpha = a[i + 7];
    pen.fillStyle = pen.strokeStyle = colour(a[i + 6]);
    pen.lineWidth = line;
    switch (a[i]) {
      case CIRCLE:
        pen.beginPath();
        pen.arc(x, y, p, 0, 2 * Math.PI);
        line ? pen.stroke() : pen.fill();
        break;
      case RECT:
        line ? pen.strokeRect(x, y, p, q) : pen.fillRect(x, y, p, q);
        break;
      case LINE:
        pen.beginPath();
        pen.moveTo(x, y);
        pen.lineTo(p, q);
        pen.stroke();
        break;
      case NUMBER:
        pen.save();
        pen.translate(x, y);
        pen.scale(p / 20, -p / 20);
        pen.font = "bold 20px system-ui, sans-serif";
        pen.textAlign = "center";
        pen.textBaseline = "middle";
        pen.fillText(String(q), 0, 1);
        pen.restore();
    }
  }
  pen.globalAlpha = 1;
};

// flat is the renderer of a page without a third dimension.
export const flat = (canvas) => {
  const pen = canvas.getContext("2d", { alpha: false });
  return {
    kind: "2D",
    draw(page) {
      const scale = devicePixelRatio || 1;
      const w = Math.round(canvas.clientWidth * scale), h = Math.round(canvas.clientHeight * scale);
      if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
      pen.setTransform(1, 0, 0, 1, 0, 0);
      pen.fillStyle = "#0b1220";
      pen.fillRect(0, 0, w, h);
      paint(pen, page.numbers, page.numbers[0], w, h);
    },
  };
};
