/** Consonant pairs that start a syllable, in English and related languages. */
const STARTS = new Set('bl br ch cl cr dr dw fl fr gl gr kl kn kr ph pl pr qu sc sh sk sl sm sn sp st sw th tr tw wh wr'.split(' '))
/** Consonant pairs that end a syllable, or are between two. */
const ENDS = new Set(
  'bb ck ct dd dg ff ft gg gh ld lf lk ll lm lp ls lt mb mm mp nc nd ng nk nn ns nt nx pp ps pt rb rc rd rf rg rk rl rm rn rp rr rs rt rv sk sp ss st ts tt xt zz'.split(
    ' ',
  ),
)
const IDEAL = 7

/** How pronounceable a name is, from 0 to 1: vowels and consonants alternate, and no cluster is unusual. */
export function sayability(label: string): number {
  const word = label.replaceAll('-', '')
  if (!/^[a-z]+$/.test(word)) return 0.3
  const runs = word.match(/[aeiouy]+|[^aeiouy]+/g) ?? []
  if (!/[aeiouy]/.test(word)) return 0
  let faults = 0
  for (const [at, run] of runs.entries()) {
    const vowels = /[aeiouy]/.test(run)
    if (vowels) faults += Math.max(0, run.length - 2)
    else if (run.length > 1) faults += clusterFaults(run, { first: at === 0, last: at === runs.length - 1 })
  }
  return Math.max(0, 1 - faults / Math.max(2, runs.length))
}

/** Quality of a name by itself, from 0 to 1: pronounceable, and neither too short nor too long. */
export function scoreOf(label: string): number {
  const distance = Math.abs(label.length - IDEAL)
  const length = Math.max(0, 1 - distance / 10)
  const hyphens = (label.match(/-/g) ?? []).length
  return Math.max(0, 0.6 * sayability(label) + 0.4 * length - 0.2 * hyphens)
}

function clusterFaults(run: string, { first, last }: { first: boolean; last: boolean }): number {
  if (run.length > 3) return run.length - 2
  const head = run.slice(0, 2)
  const tail = run.slice(-2)
  if (first) return STARTS.has(head) && run.length === 2 ? 0 : run.length === 3 && head.startsWith('s') && STARTS.has(tail) ? 0 : 1
  if (last) return run.length === 2 && ENDS.has(run) ? 0 : 1
  if (run.length === 2) return STARTS.has(run) || ENDS.has(run) ? 0 : 0.4
  return ENDS.has(head) || STARTS.has(tail) ? 0.3 : 1
}
