import { EventEmitter } from 'node:events';
import type { NotificationConstructorOptions } from 'electron';
import type { ShownNotification } from '../../src/main/notifications/notification-center.ts';

/** Stands in for Electron's `Notification`: shows nothing, keeps what it was given. */
export class FakeNotification extends EventEmitter implements ShownNotification {
  readonly options: NotificationConstructorOptions;
  isOpen = false;
  private readonly answer: 'show' | 'failed' | 'nothing';

  constructor(options: NotificationConstructorOptions, answer: 'show' | 'failed' | 'nothing') {
    super();
    this.options = options;
    this.answer = answer;
  }

  show(): void {
    this.isOpen = this.answer !== 'failed';
    if (this.answer !== 'nothing') queueMicrotask(() => this.emit(this.answer, {}, 'no'));
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.emit('close', {});
  }
}
