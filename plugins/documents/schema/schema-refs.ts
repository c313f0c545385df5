export type Loc = readonly (string | number)[]

/** One schema inside a caller's schema. */
export interface SchemaNode {
  /** Its nesting level, starting at one. */
  readonly depth: number
  /** The schemas that apply to the same value: those of combining keywords, and the target of `$ref`. */
  readonly next: ({ readonly node: SchemaNode } | { readonly ref: readonly string[]; readonly loc: Loc })[]
}

/** The steps of a reference into the same document (RFC 6901, section 6), such as `#/$defs/name`; null for any other. */
export function pointerOf(ref: string): readonly string[] | null {
  if (ref === '#') return []
  if (!ref.startsWith('#/')) return null
  try {
    return decodeURIComponent(ref.slice(2))
      .split('/')
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}

/** The location of a reference that closes a cycle of schemas for the same value, which would never end. Null for none. */
export function loopOf(nodes: ReadonlyMap<string, SchemaNode>): Loc | null {
  const state = new Map<SchemaNode, 'open' | 'done'>()
  const visit = (node: SchemaNode): Loc | null => {
    state.set(node, 'open')
    for (const step of node.next) {
      const target = 'node' in step ? step.node : nodes.get(step.ref.join('\n'))
      if (target === undefined || state.get(target) === 'done') continue
      const found = state.get(target) === 'open' ? ('ref' in step ? step.loc : []) : visit(target)
      if (found !== null) return found
    }
    state.set(node, 'done')
    return null
  }
  for (const node of nodes.values()) {
    const found = state.has(node) ? null : visit(node)
    if (found !== null) return found
  }
  return null
}
