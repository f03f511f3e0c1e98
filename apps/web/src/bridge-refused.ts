const TEXTS = {
  en: {
    title: 'Parley could not start properly',
    help: 'This window is not connected to the app. Reload it, or quit Parley and start it again.',
    reload: 'Reload',
  },
  de: {
    title: 'Parley konnte nicht richtig starten',
    help: 'Dieses Fenster ist nicht mit der App verbunden. Lade es neu, oder beende Parley und starte es wieder.',
    reload: 'Neu laden',
  },
};

/** Says that the page has no connection to the desktop app, with a button that loads it again. */
export function showBridgeRefused(element: HTMLElement): void {
  const { title, help, reload } = navigator.language.startsWith('de') ? TEXTS.de : TEXTS.en;
  const heading = document.createElement('h1');
  heading.textContent = title;
  const text = document.createElement('p');
  text.textContent = help;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = reload;
  button.addEventListener('click', () => location.reload());
  const alert = document.createElement('main');
  alert.role = 'alert';
  Object.assign(alert.style, {
    display: 'grid',
    gap: '1rem',
    justifyItems: 'start',
    maxWidth: '32rem',
    margin: '20vh auto',
    padding: '1.5rem',
  });
  Object.assign(button.style, {
    padding: '0.625rem 1.25rem',
    borderRadius: '0.625rem',
    border: '1px solid currentColor',
  });
  alert.append(heading, text, button);
  element.replaceChildren(alert);
}
