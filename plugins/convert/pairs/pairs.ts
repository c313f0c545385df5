/** What an engine converts: each group makes any of its targets of any of its sources. */
export interface Pairs {
  /** Id of the vendor. */
  readonly vendor: string
  readonly groups: readonly { readonly from: readonly string[]; readonly to: readonly string[] }[]
}

/** Whether an engine makes one format of another. A file is not made into its own format unless a group of one format says so. */
export function makes({ groups }: Pairs, from: string, to: string): boolean {
  return from !== to && groups.some((group) => group.from.includes(from) && group.to.includes(to))
}

/** Pairs as they are looked up. */
export interface Engine {
  readonly vendor: string
  /** What it makes of a format. */
  readonly targets: ReadonlyMap<string, ReadonlySet<string>>
}

export function engineOf({ vendor, groups }: Pairs): Engine {
  const sources = new Set(groups.flatMap(({ from }) => from))
  const targets = (from: string): string[] =>
    groups.flatMap((group) => (group.from.includes(from) ? group.to : [])).filter((to) => to !== from)
  return { vendor, targets: new Map([...sources].map((from) => [from, new Set(targets(from))])) }
}

/** Whether one of the engines makes one format of another. */
export function anyMakes(engines: readonly Engine[], from: string, to: string): boolean {
  return engines.some(({ targets }) => targets.get(from)?.has(to) === true)
}
