/**
 * Matches the beginning of a server path in a string, a template, or a regular expression, whose
 * slashes and dots are escaped.
 */
const SERVER_PATH =
  /^\^?(?:\\?\/(?:api|media|socket\\?\.io|healthz|readyz|metrics)(?:$|[/?$\\])|api\/)/;

/** The rules of this repository for oxlint. */
export default {
  meta: { name: 'parley' },
  rules: {
    /** Allows a path of the server in the endpoint table only. */
    'no-endpoint-paths': {
      create(context) {
        function check(node, text) {
          if (!SERVER_PATH.test(text)) return;
          const message = `Take the path '${text}' from the endpoint table in @parley/contract`;
          context.report({ node, message });
        }
        return {
          Literal(node) {
            if (node.regex) check(node, node.regex.pattern);
            else if (typeof node.value === 'string') check(node, node.value);
          },
          TemplateElement: (node) => check(node, node.value.raw),
        };
      },
    },
  },
};
