import { handle } from '../../core/sdk/index.js'
import { callerSchema } from '../documents/contract.js'
import { research } from './contract.js'
import { settings } from './settings.js'

/** Plans, searches and reads in rounds, looks up people and companies, and reports. */
export const researchHandler = handle(
  research,
  async (input, ctx) => {
    // An invalid schema is refused before anything is searched.
    if (input.output_schema !== null) await callerSchema(ctx, input.output_schema, ['output_schema'])
    const { ResearchRun } = await import('./run.js')
    const run = new ResearchRun(input, ctx)
    await run.plan()
    await run.collect()
    const sources = await run.numbered()
    if (sources.length === 0) throw run.nothingFound()
    const [entities, analysis, written, structured] = await Promise.all([
      run.entities(),
      run.analysis(sources),
      run.report(sources),
      run.structured(sources),
    ])
    return {
      report: written?.report ?? null,
      sources: sources.map((source) => run.shown(source)),
      entities: { people: [...entities.people], companies: [...entities.companies] },
      analysis,
      structured_output: structured,
      metadata: run.metadata({ cited: written?.cited ?? 0, enriched: entities.enriched }),
    }
  },
  { settings },
)
