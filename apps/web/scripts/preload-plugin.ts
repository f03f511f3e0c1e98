import { endpoints } from '@parley/contract';
import { LANGUAGE_CODES } from '@parley/texts';
import type { Plugin, Rolldown } from 'vite';
import { findChunks, isOfStart, isOfTexts } from './start-modules.ts';

const SCRIPT = '<script src="/first-paint.js"></script>';

/** What a start requests early if all facts in `when` apply. `first-paint.js` knows the facts. */
interface Preload {
  /** Separated by spaces: a language, `user` for a signed-in user, and the frame, such as `chats`. */
  readonly when: string;
  /** Paths of API requests. */
  readonly requests?: readonly string[];
  /** Selects the chunks to load, in addition to those that they import. */
  readonly isWanted?: (chunk: Rolldown.OutputChunk) => boolean;
}

const PRELOADS: readonly Preload[] = [
  { when: '', requests: [endpoints.getConfig.path] },
  { when: 'user', requests: [endpoints.getCurrentUser.path], isWanted: isOfStart('user') },
  { when: 'chats', requests: [endpoints.listChats.path] },
  { when: 'room', requests: [endpoints.listChats.path], isWanted: isOfStart('room') },
  ...LANGUAGE_CODES.flatMap((language) => [
    { when: language, isWanted: isOfTexts(language, 'app') },
    { when: `${language} user`, isWanted: isOfTexts(language, 'screens') },
  ]),
];

/**
 * Adds templates to the page with links to the chunks that a start needs later, so that they load at the same time
 * as the first ones. `first-paint.js` inserts those that apply, and sends the first API requests.
 */
export function preloads(): Plugin {
  return {
    name: 'parley:preloads',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        if (!html.includes(SCRIPT)) throw new Error(`index.html does not contain ${SCRIPT}`);
        return html.replace(SCRIPT, [...createTemplates(bundle), SCRIPT].join('\n    '));
      },
    },
  };
}

function createTemplates(bundle: Rolldown.OutputBundle): string[] {
  // The page has links to the first chunks.
  const first = findChunks(bundle, ({ isEntry }) => isEntry);
  // A chatroom is only shown to a user.
  const everyUser = findChunks(bundle, isOfStart('user'));
  return PRELOADS.map(({ when, requests = [], isWanted = () => false }) => {
    const linked = when === 'room' ? first.union(everyUser) : first;
    const chunks = [...findChunks(bundle, isWanted).difference(linked)];
    const links = [...chunks.map(createLink), ...new Set(chunks.flatMap(createStyleLinks))];
    return `<template data-when="${when}" data-requests="${requests.join(' ')}">${links.join('')}</template>`;
  });
}

function createLink({ fileName }: Rolldown.OutputChunk): string {
  return `<link rel="modulepreload" crossorigin href="/${fileName}">`;
}

function createStyleLinks({ viteMetadata }: Rolldown.OutputChunk): string[] {
  const styles = [...(viteMetadata?.importedCss ?? [])];
  return styles.map((name) => `<link rel="preload" as="style" crossorigin href="/${name}">`);
}
