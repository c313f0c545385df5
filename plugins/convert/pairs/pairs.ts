/** Conversions of an engine: each group converts any of its sources to any of its targets. */
export interface Pairs {
  /** Id of the vendor. */
  readonly vendor: string
  readonly groups: readonly { readonly from: readonly string[]; readonly to: readonly string[] }[]
}

/** Whether an engine converts one format to another. A format is converted to itself only when a group of one format lists it. */
export function makes({ groups }: Pairs, from: string, to: string): boolean {
  return from !== to && groups.some((group) => group.from.includes(from) && group.to.includes(to))
}

/** Pairs indexed for lookup. */
export interface Engine {
  readonly vendor: string
  /** Targets by source format. */
  readonly targets: ReadonlyMap<string, ReadonlySet<string>>
}

export function engineOf({ vendor, groups }: Pairs): Engine {
  const sources = new Set(groups.flatMap(({ from }) => from))
  const targets = (from: string): string[] =>
    groups.flatMap((group) => (group.from.includes(from) ? group.to : [])).filter((to) => to !== from)
  return { vendor, targets: new Map([...sources].map((from) => [from, new Set(targets(from))])) }
}

/** Whether one of the engines converts one format to another. */
export function anyMakes(engines: readonly Engine[], from: string, to: string): boolean {
  return engines.some(({ targets }) => targets.get(from)?.has(to) === true)
}
