// @ts-check
// Calls whoever asked for it when their turn comes: by two notes, or by a notification.

const KEY = "yacht-calls";
const sound = /** @type {HTMLInputElement} */ (document.getElementById("sound"));
const notify = /** @type {HTMLInputElement} */ (document.getElementById("notify"));
const refused = /** @type {HTMLElement} */ (document.getElementById("no-notes"));
const game = () => /** @type {HTMLElement} */ (document.getElementById("game"));
const may = () => "Notification" in window && Notification.permission === "granted";

try {
  const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
  sound.checked = kept.sound === true;
  notify.checked = kept.notify === true && may();
} catch {
  // then nothing was asked for
}

function keep() {
  try {
    localStorage.setItem(KEY, JSON.stringify({ sound: sound.checked, notify: notify.checked }));
  } catch {
    // then it holds for this page
  }
}

sound.addEventListener("change", () => {
  keep();
  if (sound.checked) play(); // so that one knows it again
});
notify.addEventListener("change", async () => {
  if (notify.checked && "Notification" in window) await Notification.requestPermission();
  refuse(notify.checked && !may());
  keep();
});

function refuse(/** @type {boolean} */ is) {
  if (is) notify.checked = false;
  refused.textContent = is ? (refused.dataset.text ?? "") : "";
}

/** @type {AudioContext | undefined} */
let audio;

/** Browsers let a page sound once somebody has pressed something in it. */
function wake() {
  if (!sound.checked) return;
  audio ??= new AudioContext();
  audio.resume();
}
addEventListener("pointerdown", wake);
addEventListener("keydown", wake);

/** Two notes, a fourth apart, that fade like a struck bar. */
function play() {
  wake();
  if (!audio) return;
  for (const [place, pitch] of [587.33, 783.99].entries()) {
    const at = audio.currentTime + place * 0.16;
    const tone = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
    const fade = new GainNode(audio, { gain: 0 });
    fade.gain.setValueAtTime(0, at);
    fade.gain.linearRampToValueAtTime(0.25, at + 0.01);
    fade.gain.exponentialRampToValueAtTime(0.001, at + 0.7);
    tone.connect(fade).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.7);
  }
}

function show() {
  try {
    const note = new Notification(document.title, { body: game().dataset.say, tag: location.pathname });
    note.onclick = () => {
      window.focus();
      note.close();
    };
  } catch {
    refuse(true); // some phones allow them to installed pages alone
  }
}

function call() {
  if (!("acting" in game().dataset)) return;
  if (sound.checked) play();
  if (notify.checked && document.hidden) show();
}

new MutationObserver(call).observe(document.body, { subtree: true, attributeFilter: ["data-acting"] });
if (document.hidden) call(); // the game began, and its page came, behind others
