/** Formats values for the guest's console functions. */
export interface Inspector {
  /** One value, formatted like plain data by Node's `util.inspect` with its defaults. */
  readonly inspect: (value: unknown) => string
  /** Arguments of console.log, with the placeholders %s %d %i %f %j %o %O %c %%. */
  readonly format: (values: readonly unknown[]) => string
}

/**
 * Creates the inspector. The text of this function runs inside the guest: it must not use anything from outside
 * itself. Layout as in Node 20: values nested more than 2 deep are only named, lines break at 72 and 80 columns, at
 * most 100 entries.
 */
export function makeInspector(): Inspector {
  const WIDTH = 80
  const MOST = 100
  const hasOwn = (object: object, key: string): boolean => Object.prototype.hasOwnProperty.call(object, key)
  const isObject = (value: unknown): value is object => (typeof value === 'object' && value !== null) || typeof value === 'function'
  let deepest = 0

  const quoted = (text: string): string => {
    const mark = !text.includes("'") ? "'" : !text.includes('"') ? '"' : !text.includes('`') ? '`' : "'"
    const escaped = JSON.stringify(text).slice(1, -1).replace(/\\"/g, '"')
    return mark + (mark === "'" ? escaped.replace(/'/g, "\\'") : escaped) + mark
  }
  const primitive = (value: unknown): string => {
    if (typeof value === 'string') return quoted(value)
    if (typeof value === 'bigint') return `${value}n`
    if (Object.is(value, -0)) return '-0'
    return String(value)
  }
  const keyText = (key: string | symbol): string =>
    typeof key === 'symbol' ? `[${String(key)}]` : /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key)

  const nameOf = (value: object): string | null => {
    for (let at: object | null = value; at !== null;) {
      const made: unknown = Object.getOwnPropertyDescriptor(at, 'constructor')?.value
      if (typeof made === 'function' && made.name !== '') return made.name
      const above: unknown = Object.getPrototypeOf(at)
      at = isObject(above) ? above : null
    }
    return null
  }

  const errorText = (error: Error): string => {
    const stack = typeof error.stack === 'string' ? error.stack.replace(/\n+$/, '') : ''
    const head = `${error.name}${error.message === '' ? '' : `: ${error.message}`}`
    const text = stack.startsWith(head) || stack === '' ? (stack === '' ? `[${head}]` : stack) : `${head}\n${stack}`
    return text
  }

  /** The numbers of a long list in columns, grouped as by Node. */
  const grouped = (output: readonly string[], indentation: number, right: boolean, more: boolean): readonly string[] => {
    const count = more ? output.length - 1 : output.length
    const lengths = output.slice(0, count).map((text) => text.length)
    const longest = lengths.reduce((most, length) => Math.max(most, length), 0)
    const total = lengths.reduce((sum, length) => sum + length + 2, 0)
    const actual = longest + 2
    if (!(actual * 3 + indentation < WIDTH && (total / actual > 5 || longest <= 6))) return output
    const bias = Math.max(actual - 3 - Math.sqrt(actual - total / output.length), 1)
    const columns = Math.min(Math.round(Math.sqrt(2.5 * bias * count) / bias), Math.floor((WIDTH - indentation) / actual), 12, 15)
    if (columns <= 1) return output
    const widths: number[] = []
    for (let column = 0; column < columns; column += 1) {
      let width = 0
      for (let at = column; at < count; at += columns) width = Math.max(width, lengths[at] ?? 0)
      widths.push(width + 2)
    }
    const rows: string[] = []
    for (let from = 0; from < count; from += columns) {
      const row = output.slice(from, Math.min(from + columns, count))
      const cells = row.map((text, at) => {
        const last = at === row.length - 1
        if (last) return right ? text.padStart((widths[at] ?? 2) - 2) : text
        return right ? `${text}, `.padStart(widths[at] ?? 0) : `${text}, `.padEnd(widths[at] ?? 0)
      })
      rows.push(cells.join(''))
    }
    return more ? [...rows, output[count] ?? ''] : rows
  }

  interface Parts {
    readonly prefix: string
    readonly open: string
    readonly close: string
    readonly entries: readonly string[]
    /** Set for lists: whether all are numbers, and whether entries were left out. */
    readonly list: { readonly right: boolean; readonly more: boolean } | null
  }

  const laidOut = (parts: Parts, depth: number, indentation: number): string => {
    const { prefix, open, close, list } = parts
    const entries = list !== null && parts.entries.length > 6 ? grouped(parts.entries, indentation, list.right, list.more) : parts.entries
    const head = `${prefix === '' ? '' : `${prefix} `}${open}`
    if (entries.length === 0) return `${head}${close}`
    if (deepest - depth < 3 && entries === parts.entries) {
      const start = entries.length + indentation + open.length + prefix.length + 10
      const total = entries.reduce((sum, entry) => sum + entry.length, entries.length + start)
      if (total <= WIDTH && !prefix.includes('\n') && !entries.some((entry) => entry.includes('\n')))
        return `${head} ${entries.join(', ')} ${close}`
    }
    const break_ = `\n${' '.repeat(indentation)}`
    return `${head}${break_}  ${entries.join(`,${break_}  `)}${break_}${close}`
  }

  const show = (value: unknown, depth: number, indentation: number, above: readonly object[]): string => {
    if (!isObject(value)) return primitive(value)
    if (above.includes(value)) return '[Circular *1]'
    const inner = [...above, value]
    const child = (item: unknown): string => show(item, depth + 1, indentation + 2, inner)
    const name = nameOf(value)
    if (depth > 2) return Array.isArray(value) ? '[Array]' : `[${name ?? 'Object: null prototype'}]`
    deepest = depth
    const own = (skip: (key: string) => boolean): string[] =>
      Reflect.ownKeys(value).flatMap((key) => {
        const found = Object.getOwnPropertyDescriptor(value, key)
        if (found === undefined || found.enumerable !== true || (typeof key === 'string' && skip(key))) return []
        const text =
          found.get !== undefined
            ? found.set === undefined
              ? '[Getter]'
              : '[Getter/Setter]'
            : found.set !== undefined
              ? '[Setter]'
              : child(found.value)
        return [`${keyText(key)}: ${text}`]
      })
    const braces = (prefix: string, entries: readonly string[]): string =>
      laidOut({ prefix, open: '{', close: '}', entries, list: null }, depth, indentation)
    const listed = (prefix: string, items: readonly unknown[], rest: readonly string[]): string => {
      const parts: string[] = []
      let holes = 0
      const closeHoles = (): void => {
        if (holes > 0) parts.push(`<${holes} empty item${holes === 1 ? '' : 's'}>`)
        holes = 0
      }
      for (let at = 0; at < items.length && parts.length < MOST; at += 1) {
        if (!(at in items)) {
          holes += 1
          continue
        }
        closeHoles()
        parts.push(child(items[at]))
      }
      closeHoles()
      const left = items.length - MOST
      const more = left > 0 ? [`... ${left} more item${left === 1 ? '' : 's'}`] : []
      const right = items.every((item) => typeof item === 'number' || typeof item === 'bigint')
      const list = rest.length === 0 ? { right, more: more.length > 0 } : null
      return laidOut({ prefix, open: '[', close: ']', entries: [...parts, ...more, ...rest], list }, depth, indentation)
    }
    const isIndex = (key: string): boolean => /^(0|[1-9]\d*)$/.test(key)
    if (Array.isArray(value)) {
      const items: readonly unknown[] = value
      return listed(name === 'Array' ? '' : `${name ?? '[Array: null prototype]'}(${items.length})`, items, own(isIndex))
    }
    if (typeof value === 'function') {
      const kind = /^class\b/.test(Function.prototype.toString.call(value)) ? 'class' : (name ?? 'Function')
      const called = value.name === '' ? '(anonymous)' : value.name
      const base = kind === 'class' ? `[class ${called}]` : `[${kind}${value.name === '' ? ' ' : ': '}${called}]`
      const entries = own(() => false)
      return entries.length === 0 ? base : braces(base, entries)
    }
    if (value instanceof Error) {
      const entries = own((key) => ['stack', 'message', 'fileName', 'lineNumber', 'columnNumber'].includes(key))
      const cause: readonly string[] = hasOwn(value, 'cause') && value.cause !== undefined ? [`[cause]: ${child(value.cause)}`] : []
      const base = errorText(value).replace(/\n/g, `\n${' '.repeat(indentation)}`)
      return entries.length + cause.length === 0 ? base : braces(base, [...entries, ...cause])
    }
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
    if (value instanceof RegExp) return String(value)
    if (value instanceof Map)
      return braces(`${name ?? 'Map'}(${value.size})`, [
        ...[...value].map(([key, item]) => `${child(key)} => ${child(item)}`),
        ...own(() => false),
      ])
    if (value instanceof Set) return braces(`${name ?? 'Set'}(${value.size})`, [...[...value].map(child), ...own(() => false)])
    if (value instanceof Promise) return 'Promise { <state unknown> }'
    if (value instanceof WeakMap || value instanceof WeakSet) return `${name ?? 'WeakMap'} { <items unknown> }`
    if (value instanceof ArrayBuffer) return braces('ArrayBuffer', [`byteLength: ${value.byteLength}`])
    if (ArrayBuffer.isView(value) && Symbol.iterator in value && typeof value[Symbol.iterator] === 'function') {
      const items = Array.from({ length: 'length' in value && typeof value.length === 'number' ? value.length : 0 }, (_, at): unknown =>
        Reflect.get(value, at),
      )
      return listed(`${name ?? 'TypedArray'}(${items.length})`, items, [])
    }
    if (value instanceof Number || value instanceof String || value instanceof Boolean)
      return `[${name ?? 'Object'}: ${primitive(value.valueOf())}]`
    const tag = Symbol.toStringTag in value && typeof value[Symbol.toStringTag] === 'string' ? value[Symbol.toStringTag] : ''
    const prefix = name === null ? '[Object: null prototype]' : name === 'Object' ? '' : name
    const entries = own(() => false)
    return braces(
      `${prefix}${typeof tag === 'string' && tag !== '' && tag !== name ? `${prefix === '' ? 'Object ' : ' '}[${tag}]` : ''}`,
      entries,
    )
  }

  const inspect = (value: unknown): string => {
    deepest = 0
    const text = show(value, 0, 0, [])
    return isObject(value) && text.includes('[Circular *1]') ? `<ref *1> ${text}` : text
  }
  const plain = (value: unknown): string => (typeof value === 'string' ? value : inspect(value))
  const placed = (mark: string, value: unknown): string => {
    if (mark === 's')
      return typeof value === 'string' || !isObject(value)
        ? typeof value === 'bigint'
          ? `${value}n`
          : Object.is(value, -0)
            ? '-0'
            : String(value)
        : inspect(value)
    if (mark === 'd') return typeof value === 'bigint' ? `${value}n` : isObject(value) ? 'NaN' : String(Number(value))
    if (mark === 'i') return isObject(value) ? 'NaN' : String(Number.parseInt(String(value), 10))
    if (mark === 'f') return String(Number.parseFloat(String(value)))
    if (mark === 'j') return JSON.stringify(value) ?? 'undefined'
    return mark === 'c' ? '' : inspect(value)
  }
  const format = (values: readonly unknown[]): string => {
    const [first, ...rest] = values
    if (typeof first !== 'string' || rest.length === 0) return values.map(plain).join(' ')
    let used = 0
    const text = first.replace(/%([sdifjoOc%])/g, (whole: string, mark: string) => {
      if (mark === '%') return '%'
      if (used >= rest.length) return whole
      used += 1
      return placed(mark, rest[used - 1])
    })
    return [text, ...rest.slice(used).map(plain)].join(' ')
  }
  return { inspect, format }
}
