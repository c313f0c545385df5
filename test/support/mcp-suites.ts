/** One of the official conformance suites of MCP, and which of its scenarios apply to this gateway. */
interface ConformanceSuite {
  readonly revision: string
  /** Its name in scripts/tools/mcp-conformance/package.json. */
  readonly suite: string
  readonly applicable: readonly string[]
  /** Scenarios that test what the gateway does not offer, and what that is. */
  readonly notApplicable: Readonly<Record<string, string>>
}

export const SUITES: readonly ConformanceSuite[] = [
  { revision: '2025-11-25', suite: 'conformance-2025-11-25', applicable: [], notApplicable: {} },
  { revision: '2026-07-28', suite: 'conformance-2026-07-28', applicable: [], notApplicable: {} },
]
