/** A text without these has none of the keys below; searching for them first is ten times as fast as the pattern. */
const SUSPECTS = ['__proto__', '\\u00', 'constructor']
const KEYS =
  /"(?:_|\\u005[fF]){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006[fF])(?:t|\\u0074)(?:o|\\u006[fF])(?:_|\\u005[fF]){2}"\s*:|"(?:c|\\u0063)(?:o|\\u006[fF])(?:n|\\u006[eE])(?:s|\\u0073)(?:t|\\u0074)(?:r|\\u0072)(?:u|\\u0075)(?:c|\\u0063)(?:t|\\u0074)(?:o|\\u006[fF])(?:r|\\u0072)"\s*:/

/** Parses JSON and removes keys that could pollute prototypes: `__proto__`, and a `constructor` with a `prototype`. Throws a SyntaxError. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return SUSPECTS.some((sign) => text.includes(sign)) && KEYS.test(text) ? cleaned(value) : value
}

function cleaned(root: unknown): unknown {
  const queue: unknown[] = [root]
  for (let value = queue.pop(); value !== undefined; value = queue.pop()) {
    if (typeof value !== 'object' || value === null) continue
    if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__')
    if (hasPrototype(value)) Reflect.deleteProperty(value, 'constructor')
    for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) queue.push(inner)
  }
  return root
}

function hasPrototype(value: object): boolean {
  const own: unknown = Object.getOwnPropertyDescriptor(value, 'constructor')?.value
  return typeof own === 'object' && own !== null && Object.hasOwn(own, 'prototype')
}
