/** Before what an operator calls a grant or correction, so that it never meets a reference that the gateway makes itself. */
const OPERATOR = 'op:'

/** An operator's reference as it is posted. */
export function operatorRef(given: string): string {
  return OPERATOR + given
}

/** A reference as it was given. */
export function shownRef(ref: string): string {
  return ref.startsWith(OPERATOR) ? ref.slice(OPERATOR.length) : ref
}

/** A finding of the auditor with the references in it as they were given. */
export function withShownRefs(finding: string): string {
  return finding.replaceAll(/(?<=[ (])op:(?=\S)/g, '')
}
