export { EmotionPreview } from '../../components/emotion/emotion-preview.tsx'
