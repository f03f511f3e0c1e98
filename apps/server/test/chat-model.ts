/** A message of the model. */
export interface ModelMessage {
  id: string;
  seq: number;
  rev: number;
  sender: string;
  content: string;
  isDeleted: boolean;
}

/** A chatroom of the model. Users are identified by their names. */
export interface ModelRoom {
  id: string;
  members: [string, string];
  messages: ModelMessage[];
  lastRev: number;
  readSeq: Map<string, number>;
}

/** A simple model of the rules of chatrooms and messages, against which the server is tested. */
export class ChatModel {
  readonly people = new Set<string>();
  readonly rooms: ModelRoom[] = [];

  roomOf(a: string, b: string): ModelRoom | undefined {
    return this.rooms.find(({ members }) => members.includes(a) && members.includes(b));
  }

  roomsOf(person: string): ModelRoom[] {
    return this.rooms.filter(({ members }) => members.includes(person));
  }

  partnerOf(room: ModelRoom, person: string): string | undefined {
    return room.members.find((name) => name !== person && this.people.has(name));
  }

  addRoom(id: string, a: string, b: string): ModelRoom {
    const readSeq = new Map([
      [a, 0],
      [b, 0],
    ]);
    const room = { id, members: [a, b], messages: [], lastRev: 0, readSeq } as ModelRoom;
    this.rooms.push(room);
    return room;
  }

  send(room: ModelRoom, sender: string, id: string, content: string): ModelMessage {
    const before = room.messages.length;
    const message: ModelMessage = {
      id,
      seq: before + 1,
      rev: ++room.lastRev,
      sender,
      content,
      isDeleted: false,
    };
    room.messages.push(message);
    if (room.readSeq.get(sender) === before) room.readSeq.set(sender, message.seq);
    return message;
  }

  /** Returns the expected HTTP status of a request to edit or delete a message. */
  changeStatus(room: ModelRoom, message: ModelMessage, person: string, isEdit: boolean): number {
    if (!room.members.includes(person) || message.isDeleted) return 404;
    if (message.sender !== person) return 403;
    return isEdit && this.partnerOf(room, person) === undefined ? 403 : 200;
  }

  edit(room: ModelRoom, message: ModelMessage, content: string): void {
    if (message.content === content) return;
    message.content = content;
    message.rev = ++room.lastRev;
  }

  delete(room: ModelRoom, message: ModelMessage): void {
    message.isDeleted = true;
    message.rev = ++room.lastRev;
  }

  read(room: ModelRoom, person: string, seq = Infinity): void {
    const target = Math.min(seq, room.messages.length);
    room.readSeq.set(person, Math.max(target, room.readSeq.get(person) ?? 0));
  }

  deleteAccount(person: string): void {
    this.people.delete(person);
    for (const room of this.roomsOf(person)) {
      for (const message of room.messages) {
        if (message.sender === person && !message.isDeleted) this.delete(room, message);
      }
      if (this.partnerOf(room, person) === undefined)
        this.rooms.splice(this.rooms.indexOf(room), 1);
    }
  }

  unread(room: ModelRoom, person: string): number {
    const from = room.readSeq.get(person) ?? 0;
    return undeletedMessages(room).filter(({ seq, sender }) => seq > from && sender !== person)
      .length;
  }
}

/** Returns the messages of a chatroom that are not deleted, oldest first. */
export function undeletedMessages(room: ModelRoom): ModelMessage[] {
  return room.messages.filter(({ isDeleted }) => !isDeleted);
}
