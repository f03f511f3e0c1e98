const LATER_EVENT = /^(?:on)?key(?:up|press)(?:capture)?$/i;
const ANY_EVENT = /^(?:on)?key(?:down|up|press)(?:capture)?$/i;
const COMPOSITION_FIELD = /^(?:isComposing|keyCode)$/;

/** Reports handlers of events with a matching name: attributes, properties, and arguments of `addEventListener`. */
function handlersOf(context, events, message) {
  const check = (node, name) => {
    if (typeof name === 'string' && events.test(name)) context.report({ node, message });
  };
  return {
    JSXAttribute: (node) => check(node, node.name.name),
    AssignmentExpression: ({ left }) => {
      if (left.type === 'MemberExpression') check(left, left.property.name);
    },
    Property: (node) => check(node, node.key.name),
    CallExpression(node) {
      const { callee, arguments: args } = node;
      if (callee.property?.name === 'addEventListener') check(node, args[0]?.value);
    },
  };
}

/** Rules for handlers of key presses. */
export default {
  meta: { name: 'keys' },
  rules: {
    /**
     * Keeps key presses of input methods from handlers: those of `keydown` never arrive, but those of `keyup` and
     * `keypress` do. Also forbids asking again whether a key press belongs to an input method.
     */
    'only-keydown': {
      create(context) {
        const checkField = (node, name) => {
          if (!COMPOSITION_FIELD.test(name)) return;
          const message = 'Key presses of input methods never arrive (ignore-composition-keys.ts)';
          context.report({ node, message });
        };
        const message = 'Handle `keydown`, of which key presses of input methods are filtered';
        const { Property, ...handlers } = handlersOf(context, LATER_EVENT, message);
        return {
          ...handlers,
          MemberExpression: (node) => checkField(node, node.property.name),
          Property(node) {
            Property(node);
            if (node.parent.type === 'ObjectPattern') checkField(node, node.key.name);
          },
        };
      },
    },
    /** Forbids handlers of keys in pages that do not filter the key presses of input methods. */
    'no-key-handlers': {
      create(context) {
        const message = 'Filter key presses of input methods first (ignore-composition-keys.ts)';
        return handlersOf(context, ANY_EVENT, message);
      },
    },
  },
};
