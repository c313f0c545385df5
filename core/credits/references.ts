/** Prefix of operators' references, so that they never collide with references that the gateway generates. */
const OPERATOR = 'op:'

/** An operator's reference as it is posted. */
export function operatorRef(given: string): string {
  return OPERATOR + given
}

/** A reference as it was given. */
export function shownRef(ref: string): string {
  return ref.startsWith(OPERATOR) ? ref.slice(OPERATOR.length) : ref
}

/** A finding of the auditor with operators' references as they were given. */
export function withShownRefs(finding: string): string {
  return finding.replaceAll(/(?<=[ (])op:(?=\S)/g, '')
}
