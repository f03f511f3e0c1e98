/** Stops the time of toasts, which close at the end of an animation, until the returned function is called. */
export function pauseToasts(): () => void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('.Toastify__progress-bar { animation-play-state: paused !important; }');
  document.adoptedStyleSheets = [sheet];
  return () => {
    document.adoptedStyleSheets = [];
  };
}
