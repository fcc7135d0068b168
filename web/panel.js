// The switches and the simulated link.

const switches = ["prediction", "reconciliation", "redundancy", "smoothing", "interpolation"];

export const initialSettings = (options) => ({
  ...Object.fromEntries(switches.map((s) => [s, options[s] !== "off"])),
  others: options.others === "on",
  ghosts: { server: false, snapshot: false },
  rtt: +options.rtt || 0, jitter: +options.jitter || 0, loss: +options.loss || 0, burst: 1, snapshots: 0,
});

export const startPanel = (foretick, panel) => {
  for (const id of ["prediction", "reconciliation", "smoothing", "others"]) {
    const box = Object.assign(document.createElement("input"), { type: "checkbox", id, checked: foretick.settings()[id] });
    box.onchange = () => { foretick.set({ ...foretick.settings(), [id]: box.checked }); box.blur(); };
    const label = document.createElement("label");
    label.append(box, id);
    panel.append(label);
  }
};
