import { app } from 'electron';
import { launchActivation, type Activation } from '../notifications/activation.ts';
import { findDeepLink, parseDeepLink, SCHEME, type DeepLink } from '../links/deep-link.ts';

/** What reaches the app from outside, however it comes: kept until somebody listens. */
export interface AppLinks {
  /** What was done with the notification that started the app, if one did. Only macOS tells. */
  launch: () => Activation | undefined;
  /** Hears links, also those that came before, and further starts without one. */
  listen: (onLink: (link: DeepLink) => void, onStartedAgain: () => void) => void;
}

/** Has to run before the app is ready: macOS hands over the first link at once. */
export function collectLinks(args: readonly string[]): AppLinks {
  const first = findDeepLink(args);
  let waiting: DeepLink[] = first === undefined ? [] : [first];
  let hear: (link: DeepLink) => void = (link) => waiting.push(link);
  let onStartedAgain = nothing;

  let launch: Activation | undefined;
  app.once('ready', (_event, info) => {
    launch = launchActivation(info);
  });
  app.on('open-url', (event, url) => {
    event.preventDefault();
    const link = parseDeepLink(url);
    if (link !== undefined) hear(link);
  });
  app.on('second-instance', (_event, argv) => {
    const link = findDeepLink(argv);
    if (link === undefined) onStartedAgain();
    else hear(link);
  });
  // An unpacked app has no program of its own to register.
  if (app.isPackaged) app.setAsDefaultProtocolClient(SCHEME);

  return {
    launch: () => launch,
    listen: (onLink, onAgain) => {
      hear = onLink;
      onStartedAgain = onAgain;
      const due = waiting;
      waiting = [];
      for (const link of due) onLink(link);
    },
  };
}

function nothing(): void {
  // A further start before anybody listens brings nothing that is not coming anyway.
}
