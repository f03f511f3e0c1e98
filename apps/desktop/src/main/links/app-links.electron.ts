import { app } from 'electron';
import { parseLaunchActivation, type Activation } from '../notifications/activation.ts';
import { findDeepLink, parseDeepLink, SCHEME, type DeepLink } from './deep-link.ts';

/** Links and further starts of the app. Links are queued until `listen` is called. */
export interface AppLinks {
  /** Returns the activation of the notification that started the app, if any. macOS only. */
  launch: () => Activation | undefined;
  /** Subscribes to links, including queued ones, and to further starts without a link. */
  listen: (onLink: (link: DeepLink) => void, onStartedAgain: () => void) => void;
}

/** Starts to collect links. Must be called before the app is ready, as macOS sends the first link before that. */
export function collectLinks(args: readonly string[]): AppLinks {
  const first = findDeepLink(args);
  let queue: DeepLink[] = first === undefined ? [] : [first];
  let handleLink: (link: DeepLink) => void = (link) => queue.push(link);
  let onStartedAgain = nothing;

  let launch: Activation | undefined;
  app.once('ready', (_event, info) => {
    launch = parseLaunchActivation(info);
  });
  app.on('open-url', (event, url) => {
    event.preventDefault();
    const link = parseDeepLink(url);
    if (link !== undefined) handleLink(link);
  });
  app.on('second-instance', (_event, argv) => {
    const link = findDeepLink(argv);
    if (link === undefined) onStartedAgain();
    else handleLink(link);
  });
  // An app started from the sources has no program to register.
  if (app.isPackaged) app.setAsDefaultProtocolClient(SCHEME);

  return {
    launch: () => launch,
    listen: (onLink, onAgain) => {
      handleLink = onLink;
      onStartedAgain = onAgain;
      const queued = queue;
      queue = [];
      for (const link of queued) onLink(link);
    },
  };
}

function nothing(): void {
  // The first instance is about to show its window, so a second start needs no action.
}
