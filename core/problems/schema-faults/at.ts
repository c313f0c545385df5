import { isRecord } from '../../sdk/json.js'

/** The parts of a JSON pointer, or of a fragment that contains one. */
export function partsOf(pointer: string): string[] {
  const [, ...parts] = (pointer.startsWith('#') ? decodeURIComponent(pointer.slice(1)) : pointer).split('/')
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The value at a path of names and indices; undefined where there is none. */
export function at(value: unknown, parts: readonly string[]): unknown {
  return parts.reduce<unknown>((found, part) => {
    if (Array.isArray(found)) return /^\d+$/.test(part) ? found[Number(part)] : undefined
    return isRecord(found) && Object.hasOwn(found, part) ? found[part] : undefined
  }, value)
}

/** The schema whose keyword a fault is about. */
export function schemaOf(root: unknown, schemaPath: string): Readonly<Record<string, unknown>> {
  const found = at(root, partsOf(schemaPath).slice(0, -1))
  return isRecord(found) ? found : {}
}
