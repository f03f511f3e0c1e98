import { EventEmitter } from 'node:events';
import type { NotificationConstructorOptions } from 'electron';
import type { ShownNotification } from '../../src/main/notifications/notification-center.ts';

/** A fake of Electron's `Notification`, which shows nothing and records its options. */
export class FakeNotification extends EventEmitter implements ShownNotification {
  readonly options: NotificationConstructorOptions;
  isOpen = false;
  private readonly outcome: 'show' | 'failed' | 'nothing';

  constructor(options: NotificationConstructorOptions, outcome: 'show' | 'failed' | 'nothing') {
    super();
    // The limit of Windows.
    for (const name of ['id', 'groupId'] as const) {
      if ((options[name]?.length ?? 0) > 64) {
        throw new Error(`Notification ${name} exceeds Windows limit of 64 UTF-16 characters`);
      }
    }
    this.options = options;
    this.outcome = outcome;
  }

  show(): void {
    this.isOpen = this.outcome !== 'failed';
    if (this.outcome !== 'nothing') queueMicrotask(() => this.emit(this.outcome, {}, 'no'));
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.emit('close', {});
  }
}
