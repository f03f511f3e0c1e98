import type { ChatSettings, Message } from '@parley/contract';
import type { ChatSettingName } from '../steps.ts';

/** The latest value of a setting. */
interface Wanted {
  readonly setting: ChatSettingName;
  /** The load of a page in which it was set, or undefined if several did, whose order is unknown. */
  readonly page: object | undefined;
  /** The newest message that the page knew. */
  readonly seq: number;
}

/** A record of the settings that users have chosen for the chat. */
export class WantedSettings {
  /** By user and kind of setting. */
  readonly #wanted = new Map<string, Wanted>();
  readonly #everMuted = new Set<string>();

  /** Records that a user changes a setting. */
  set(username: string, setting: ChatSettingName, page: object, seq: number): void {
    const key = `${username}:${kindOf(setting)}`;
    const before = this.#wanted.get(key);
    const isOrdered = before === undefined || before.page === page;
    this.#wanted.set(key, { setting, page: isOrdered ? page : undefined, seq });
    if (setting === 'mute') this.#everMuted.add(username);
  }

  /** Returns the differences between the settings on the server and the chosen ones. */
  findProblems(
    username: string,
    settings: ChatSettings | undefined,
    messages: readonly Message[],
  ): string[] {
    const problems: string[] = [];
    const muted = this.#wanted.get(`${username}:mute`);
    const isMuted = settings?.mutedUntil !== undefined;
    if ((muted?.setting === 'mute') !== isMuted && (!muted || muted.page)) {
      problems.push(`the chat is ${isMuted ? '' : 'not '}muted`);
    }
    const place = this.#wanted.get(`${username}:place`);
    const isPinned = settings?.isPinned === true;
    if ((place?.setting === 'pin') !== isPinned && (!place || place.page)) {
      problems.push(`the chat is ${isPinned ? '' : 'not '}pinned`);
    }
    const isArchived = settings?.isArchived === true;
    if (place?.page === undefined) {
      if (!place && isArchived) problems.push('the chat is archived');
      return problems;
    }
    // Later messages of the partner end the archiving, unless the chat is muted.
    const news = messages.filter(
      ({ seq, sender }) => seq > place.seq && sender.username !== username,
    );
    const mayBeArchived =
      place.setting === 'archive' && (news.length === 0 || this.#everMuted.has(username));
    if (isArchived && !mayBeArchived) problems.push('the chat is still archived');
    return problems;
  }
}

function kindOf(setting: ChatSettingName): 'mark' | 'mute' | 'place' {
  if (setting === 'mark') return 'mark';
  return setting.endsWith('mute') ? 'mute' : 'place';
}
