import { startCatalogue, type Catalogue } from './catalogue.ts'
import { writeDemoFiles } from './demo-files.ts'
import { demoLine, demoModel } from './demo-model.ts'
import { startModel, type ModelScript, type StandInModel } from './model.ts'

export interface DemoOptions {
  /** The model's, then the Hub's, then the Spaces'; default free ones. @throws Error `EADDRINUSE`. */
  firstPort?: number
  /** Told one line for each answer of the model. */
  tell?: (line: string) => void
}

export interface Demo {
  readonly catalogue: Catalogue
  readonly model: StandInModel
  /** What the app has to find in its environment. */
  readonly environment: Readonly<Record<string, string>>
  /** The Spaces that an app starts with; their addresses point to the real ones until they are added anew. */
  readonly startingSpaces: readonly string[]
  /** Examples of profiles and tools; what is there stays. Resolves to the folder with what can be imported. */
  writeFiles(dataDir: string): Promise<string>
  close(): Promise<void>
}

/** Everything that the app needs to be tried out without a network: Hub, Spaces, a foreign server, a model. */
export async function startDemo(options: DemoOptions = {}): Promise<Demo> {
  const { firstPort } = options
  const answer: ModelScript = (request) => {
    const step = demoModel(request)
    options.tell?.(demoLine(request, step))
    return step
  }
  const model = await startModel(answer, { models: ['demo'], port: firstPort ?? 0 })
  const catalogue = await startCatalogue({
    everything: true,
    ...(firstPort === undefined ? {} : { firstPort: firstPort + 1 }),
  }).catch(async (error: unknown) => {
    await model.close()
    throw error
  })
  return {
    catalogue,
    model,
    environment: {
      HF_ENDPOINT: catalogue.hub.url,
      OPENAI_BASE_URL: model.url,
      REACHY_MINI_COMPANION_MODEL: 'demo',
    },
    startingSpaces: catalogue.hub.spaces.map(({ id }) => id).filter((id) => id.startsWith('pollen-robotics/')),
    writeFiles: writeDemoFiles,
    async close() {
      await model.close()
      await catalogue.close()
    },
  }
}
