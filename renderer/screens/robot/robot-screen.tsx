import { FileText, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Button, Screen, SearchBox, TabList, TabPanel, Tabs } from '../../components/index.ts'
import { useNavigation } from '../../stores/navigation.ts'
import { useRobots } from '../../stores/robots.ts'

import { BodyTab } from './body-tab.tsx'
import { DiagnosticsDialog } from './diagnostics-dialog.tsx'
import { EmotionsTab } from './emotions-tab.tsx'

/** The robot: its body with every motor, and all it can express. */
export function RobotScreen() {
  const { t } = useTranslation('robot')
  const tab = useNavigation((store) => store.robotTab)
  const setTab = useNavigation((store) => store.setRobotTab)
  const [query, setQuery] = useState('')
  const [diagnosing, setDiagnosing] = useState(false)
  const { looking, look } = useRobots()
  return (
    <Tabs value={tab} onChange={setTab}>
      <Screen
        title={t('title')}
        scroll={false}
        lead={
          <TabList
            label={t('views')}
            tabs={[
              { value: 'body', label: t('tabs.body') },
              { value: 'emotions', label: t('tabs.emotions') },
            ]}
          />
        }
        actions={
          tab === 'emotions' ? (
            <SearchBox label={t('search')} value={query} onChange={setQuery} className="w-56 narrow:w-44" />
          ) : (
            <>
              <Button variant="quiet" icon={<FileText aria-hidden="true" />} onClick={() => setDiagnosing(true)}>
                {t('diagnostics')}
              </Button>
              <Button
                variant="quiet"
                busy={looking}
                icon={<RefreshCw aria-hidden="true" />}
                onClick={() => void look(true)}
              >
                {t('lookAgain')}
              </Button>
            </>
          )
        }
      >
        <TabPanel
          value="body"
          className="scroll-quiet min-h-0 flex-1 overflow-y-auto px-6 pt-1 pb-6 narrow:px-4 narrow:pb-4"
        >
          <BodyTab />
        </TabPanel>
        <TabPanel value="emotions" className="flex min-h-0 flex-1 flex-col outline-none data-[state=inactive]:hidden">
          <EmotionsTab query={query} onQuery={setQuery} />
        </TabPanel>
      </Screen>
      <DiagnosticsDialog open={diagnosing} onClose={() => setDiagnosing(false)} />
    </Tabs>
  )
}
