import { makeWav, wavBytes } from '@parley/testing';
import { selectUnsentFiles, type Client, type MediaKind } from '../../../src/index.ts';
import { selectFirstMessage } from '../../../src/outbox/outbox-entry.ts';
import type { Tab } from '../world/tab.ts';
import type { HistoryWorld } from '../world/history-world.ts';

/** An image of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const SOUND = makeWav(wavBytes(0.1));
const SOUND_INFO = { duration: 100, peaks: [0, 50, 100] };

/** Sends a text. */
export function submitText(world: HistoryWorld, tab: Tab): void {
  const { client, chatroomId } = tab;
  if (!client || chatroomId === undefined) return;
  client.send(chatroomId, world.write(tab, 'text'));
}

/**
 * Replies to a message.
 * @param isToShown whether the original is one of the messages that are shown
 */
export function reply(world: HistoryWorld, tab: Tab, pick: number, isToShown: boolean): void {
  const { client, chatroomId, room, known } = tab;
  const shown = room?.messages.map(({ _id: messageId, seq }) => ({ messageId, seq })) ?? [];
  const originals = isToShown ? shown : [...known.values()];
  const original = originals[pick % originals.length];
  if (!client || chatroomId === undefined || !original) return;
  const content = world.write(tab, 'text');
  world.ledger.reply(content, original.messageId);
  client.send(chatroomId, content, original);
}

/** Forwards messages in a row to the same chatroom. */
export function forward(
  { facts, ledger }: HistoryWorld,
  tab: Tab,
  pick: number,
  count: number,
): void {
  const { client, chatroomId, room, page } = tab;
  const start = pick % (room?.messages.length ?? 1);
  const messages = room?.messages.slice(start, start + count) ?? [];
  if (!client || chatroomId === undefined || messages.length === 0) return;
  facts.consent(client.username);
  const names = messages.map((message) => ledger.forward(client.username, message, page));
  client.forward([chatroomId], messages);
  const added = client.outbox.getState().entries.slice(-messages.length);
  for (const [i, { clientId }] of added.entries()) ledger.name(names[i] ?? '', clientId);
}

/** Sends an image or a recording. */
export function submitFile(world: HistoryWorld, tab: Tab, kind: MediaKind): void {
  const { client, chatroomId } = tab;
  if (!client || chatroomId === undefined) return;
  addFile(world, tab, client, chatroomId, kind);
  client.sendMedia(kind, chatroomId);
}

/** Sends several images together. */
export function submitAlbum(
  world: HistoryWorld,
  tab: Tab,
  count: number,
  hasCaption: boolean,
): void {
  const { client, chatroomId } = tab;
  if (!client || chatroomId === undefined) return;
  for (let i = 0; i < count; i += 1) addFile(world, tab, client, chatroomId, 'image');
  const caption = hasCaption ? world.write(tab, 'caption') : undefined;
  client.sendMedia('image', chatroomId, undefined, caption);
}

function addFile(
  world: HistoryWorld,
  tab: Tab,
  client: Client,
  chatroomId: string,
  kind: MediaKind,
): void {
  const name = world.write(tab, kind);
  const [bytes, media] = kind === 'image' ? [PIXEL, undefined] : [SOUND, SOUND_INFO];
  client.addMedia(kind, chatroomId, new Blob([bytes]), name, media);
  const added = selectUnsentFiles(client.outbox.getState().entries, kind, chatroomId).at(-1);
  if (added) world.ledger.name(name, added.clientId);
}

/** Sends the first message of a chat, which creates the chatroom. */
export function create(world: HistoryWorld, { client, partnerName }: Tab): void {
  if (!client) return;
  const draft = selectFirstMessage(client.outbox.getState().entries, partnerName);
  if (draft?.state === 'draft') client.sendFirstMessage(partnerName, draft.content);
  else {
    world.facts.consent(client.username);
    client.sendFirstMessage(partnerName, world.ledger.write(client.username, 'first'));
  }
}

/** Writes a draft that is never sent. */
export function draft({ ledger }: HistoryWorld, { client, chatroomId, browser }: Tab): void {
  if (!client || chatroomId === undefined) return;
  client.drafts.getState().change(chatroomId, { text: ledger.draft(browser) });
}

/** Discards an unsent message. */
export function discard(world: HistoryWorld, tab: Tab, pick: number): void {
  const entries = tab.client?.outbox.getState().entries ?? [];
  const entry = entries[pick % entries.length];
  if (!entry) return;
  world.setUncertain(entry);
  tab.client?.discard(entry.clientId);
}

/** Sends failed messages that became drafts again, and discards those that cannot be sent. */
export function sendDrafts(
  world: HistoryWorld,
  { client, chatroomId, partnerName, blocked }: Tab,
): void {
  const entries = client?.outbox.getState().entries ?? [];
  for (const entry of entries) {
    if (entry.failReason === undefined) continue;
    world.ledger.fail(entry);
    client?.discard(entry.clientId);
  }
  const first = selectFirstMessage(entries, partnerName);
  if (first?.state === 'draft' && blocked.has(first.clientId)) {
    world.setUncertain(first);
    client?.discard(first.clientId);
  } else if (first?.state === 'draft') {
    client?.sendFirstMessage(partnerName, first.content);
  }
  for (const kind of ['image', 'audio'] as const) {
    if (chatroomId === undefined) continue;
    const files = selectUnsentFiles(entries, kind, chatroomId);
    if (files.some(({ state }) => state === 'draft')) client?.sendMedia(kind, chatroomId);
  }
}
