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
