import { Type, type Static } from 'typebox';
import { oneOf } from './common.schemas.ts';

/** The configured information about the operator. */
export const Operator = Type.Object({
  name: Type.Optional(Type.String()),
  address: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  website: Type.Optional(Type.String()),
  sourceUrl: Type.Optional(Type.String()),
  demoUrl: Type.Optional(Type.String()),
});
export type Operator = Static<typeof Operator>;

/** The public configuration, available without a session. */
export const PublicConfig = Type.Object({
  product: Type.Literal('parley'),
  version: Type.String(),
  apiVersion: Type.Integer({
    description: 'Version of the API, incremented for changes that may affect clients',
  }),
  minApiVersion: Type.Optional(
    Type.Integer({
      description: 'The oldest version of the API that clients may use. Defaults to `apiVersion`',
    }),
  ),
  mediaPrefix: Type.String({ description: 'Prefix of the URLs of uploads' }),
  mediaBase: Type.String({
    description:
      'To fetch an upload, replace `mediaPrefix` in its URL with this: a path on this origin, or `mediaPrefix` itself',
  }),
  avatarUrl: Type.String({ description: 'URL template of avatars with the placeholder {name}' }),
  emojiUrl: Type.Optional(
    Type.String({
      description:
        'URL template of the images of other emoji sets with the placeholders {style} (apple, facebook) and {code} (such as 2764-fe0f)',
    }),
  ),
  registration: oneOf('open', 'invite', 'closed'),
  userInvitations: Type.Optional(
    Type.Boolean({ description: "Whether users' invitation links allow registration" }),
  ),
  operator: Operator,
  instance: Type.Optional(
    Type.String({
      description:
        'Identifies the database of the server, so that operators notice which server responds',
    }),
  ),
});
export type PublicConfig = Static<typeof PublicConfig>;
