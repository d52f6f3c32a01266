//! Where keys go: the contexts, which of them belong together, and which one a model is in.

use crate::app::editor::Stage;
use crate::app::model::{Focus, Mode, Model, Screen};
use crate::app::preview::Part;
use crate::app::sheet;

/// Where a key works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Context {
    /// The list of memories.
    List,
    /// The text of a memory, beside the list or over the whole width.
    Memory,
    /// The sources of the prompt.
    Sources,
    /// The text of the prompt.
    Prompt,
    /// A file over the Prompt screen.
    File,
    /// The list of what waits.
    Inbox,
    /// What is said about one that waits.
    InboxItem,
    /// The list of what was rejected.
    Rejected,
    /// The choice of parts of a change.
    Parts,
    /// The list of findings.
    Checks,
    /// What is said about a finding.
    Finding,
    /// The walk through the worst.
    Walk,
    /// Its summary.
    WalkEnd,
    /// The claims of a memory that is verified.
    Verify,
    /// The choice how a finding is silenced.
    Silence,
    /// The choice where memories go.
    Moving,
    /// A window in which one of the nearest memories is chosen.
    Nearest,
    /// The list of stores.
    Stores,
    /// The memories that would be picked for a query, and the others.
    Recall,
    /// What stands beside them.
    Candidate,
    /// What is asked, while it is typed.
    Query,
    /// The filter while it is typed.
    Filter,
    /// Something else that is typed.
    Input,
    /// A window of lines to read.
    Report,
    /// A question.
    Question,
    /// Help.
    Help,
    /// The palette.
    Palette,
    /// The form or the raw file of a memory.
    Edit,
    /// The question whether unsaved text is saved.
    EditLeave,
    /// The question after a form could not be saved.
    EditRefused,
    /// The question about unsaved text of an earlier time.
    EditOffer,
    /// The question while another program may have the text open.
    EditOutside,
    /// The question after someone else deleted the memory.
    EditGone,
    /// Two versions of a memory.
    Conflict,
    /// While an edit is being saved.
    EditSaving,
    /// A small form: rename, new, merge, promote.
    Sheet,
}

/// Everywhere but in text fields and questions.
pub(super) const BROWSE: &[Context] = &[
    Context::List,
    Context::Memory,
    Context::Sources,
    Context::Prompt,
    Context::File,
    Context::Inbox,
    Context::InboxItem,
    Context::Rejected,
    Context::Checks,
    Context::Finding,
    Context::Stores,
    Context::Recall,
    Context::Candidate,
];
/// Where lines are moved over, and what is shown besides is explained.
pub(super) const MOVING: &[Context] = &[
    Context::List,
    Context::Memory,
    Context::Sources,
    Context::Prompt,
    Context::File,
    Context::Inbox,
    Context::InboxItem,
    Context::Rejected,
    Context::Checks,
    Context::Finding,
    Context::Stores,
    Context::Recall,
    Context::Candidate,
    Context::Walk,
    Context::Verify,
];
/// Where there is a list that can be filtered.
pub(super) const LISTS: &[Context] = &[
    Context::List,
    Context::Memory,
    Context::Inbox,
    Context::InboxItem,
    Context::Rejected,
    Context::Checks,
    Context::Finding,
    Context::Stores,
];
pub(super) const INBOX: &[Context] = &[Context::Inbox, Context::InboxItem];
pub(super) const INBOX_AND_REJECTED: &[Context] = &[Context::Inbox, Context::InboxItem, Context::Rejected];
pub(super) const REJECTED: &[Context] = &[Context::Rejected];
pub(super) const PARTS: &[Context] = &[Context::Parts];
pub(super) const CHECKS: &[Context] = &[Context::Checks, Context::Finding];
/// Where a memory is at hand.
pub(super) const AT_MEMORY: &[Context] =
    &[Context::List, Context::Memory, Context::Checks, Context::Finding, Context::Recall, Context::Candidate];
pub(super) const RECALL: &[Context] = &[Context::Recall, Context::Candidate];
/// Where a memory can be verified.
pub(super) const VERIFIABLE: &[Context] = &[
    Context::List,
    Context::Memory,
    Context::Checks,
    Context::Finding,
    Context::Recall,
    Context::Candidate,
    Context::Walk,
];
/// Where a decision about a memory can be made with the usual keys.
pub(super) const DECIDING: &[Context] = &[
    Context::List,
    Context::Memory,
    Context::Checks,
    Context::Finding,
    Context::Recall,
    Context::Candidate,
    Context::Verify,
];
pub(super) const VERIFY: &[Context] = &[Context::Verify];
pub(super) const WALK: &[Context] = &[Context::Walk];
pub(super) const WALKING: &[Context] = &[Context::Walk, Context::WalkEnd];
pub(super) const SILENCE: &[Context] = &[Context::Silence];
pub(super) const NEAREST: &[Context] = &[Context::Nearest];
pub(super) const PROMPT: &[Context] = &[Context::Sources, Context::Prompt];
pub(super) const PROMPT_AND_FILE: &[Context] = &[Context::Sources, Context::Prompt, Context::File];
pub(super) const PANES: &[Context] = &[
    Context::List,
    Context::Memory,
    Context::Sources,
    Context::Prompt,
    Context::Inbox,
    Context::InboxItem,
    Context::Rejected,
    Context::Checks,
    Context::Finding,
    Context::Recall,
    Context::Candidate,
];
/// Where what is shown can be read again.
pub(super) const RELOADING: &[Context] = &[
    Context::List,
    Context::Memory,
    Context::Sources,
    Context::Prompt,
    Context::Inbox,
    Context::InboxItem,
    Context::Rejected,
    Context::Checks,
    Context::Finding,
    Context::Stores,
    Context::Recall,
    Context::Candidate,
];
/// Where the last thing done can be taken back.
pub(super) const UNDOING: &[Context] = &[
    Context::List,
    Context::Memory,
    Context::Inbox,
    Context::InboxItem,
    Context::Rejected,
    Context::Checks,
    Context::Finding,
    Context::Stores,
    Context::Recall,
    Context::Candidate,
    Context::Verify,
];
pub(super) const MEMORIES: &[Context] = &[Context::List, Context::Memory];
/// Wherever text is typed into fields.
pub(super) const FIELDS: &[Context] = &[Context::Edit, Context::Sheet];
/// Everything in the editor that text can't be typed into.
pub(super) const EDIT_BACK: &[Context] = &[
    Context::EditLeave,
    Context::EditRefused,
    Context::EditOffer,
    Context::EditOutside,
    Context::EditGone,
    Context::Conflict,
];
pub(super) const OVERLAYS: &[Context] = &[
    Context::Question,
    Context::Help,
    Context::Palette,
    Context::Report,
    Context::Silence,
    Context::Nearest,
    Context::Moving,
];
/// Where memories are to go.
pub(super) const MOVING_TO: &[Context] = &[Context::Moving];

impl Context {
    /// Where keys go at the moment.
    #[must_use]
    pub fn of(model: &Model) -> Self {
        match &model.mode {
            Mode::Filter(_) => Self::Filter,
            Mode::Query(_) => Self::Query,
            Mode::Question(_) => Self::Question,
            Mode::Help { .. } => Self::Help,
            Mode::Palette { .. } => Self::Palette,
            Mode::Input(_) => Self::Input,
            Mode::Report(_) => Self::Report,
            Mode::Silence(_) => Self::Silence,
            Mode::Moving(_) => Self::Moving,
            Mode::Nearest(_) => Self::Nearest,
            Mode::Browse => Self::behind(model),
        }
    }

    /// Where keys go when no field, question or window takes them.
    #[must_use]
    pub fn behind(model: &Model) -> Self {
        if let Some(sheet) = &model.sheet {
            return match sheet.stage {
                sheet::Stage::Typing => Self::Sheet,
                sheet::Stage::Leaving => Self::EditLeave,
                sheet::Stage::Working => Self::EditSaving,
            };
        }
        if let Some(editor) = &model.editor {
            return match &editor.stage {
                Stage::Typing => Self::Edit,
                Stage::Saving { .. } => Self::EditSaving,
                Stage::Leaving => Self::EditLeave,
                Stage::Refused(_) => Self::EditRefused,
                Stage::Conflict(_) => Self::Conflict,
                Stage::Gone => Self::EditGone,
                Stage::Offer(_) => Self::EditOffer,
                Stage::Outside => Self::EditOutside,
            };
        }
        if model.verify.open.is_some() {
            return Self::Verify;
        }
        if let Some(walk) = &model.walk {
            return if walk.is_over() { Self::WalkEnd } else { Self::Walk };
        }
        match (model.screen, model.open().map(|open| open.pane.focus)) {
            (Screen::Inbox, _) => match model.open().map(|open| &open.inbox) {
                Some(desk) if desk.split.is_some() => Self::Parts,
                Some(desk) if desk.rejected => Self::Rejected,
                Some(desk) if desk.in_detail => Self::InboxItem,
                _ => Self::Inbox,
            },
            (Screen::Checks, _) => match model.open().is_some_and(|open| open.board.in_detail) {
                true => Self::Finding,
                false => Self::Checks,
            },
            (Screen::Recall, _) => match model.open().is_some_and(|open| open.finder.in_detail) {
                true => Self::Candidate,
                false => Self::Recall,
            },
            (Screen::Stores, _) => Self::Stores,
            (Screen::Prompt, _) => match model.prompt.part {
                Part::Sources => Self::Sources,
                Part::Text => Self::Prompt,
                Part::File(_) => Self::File,
            },
            (Screen::Memories, None | Some(Focus::List)) => Self::List,
            (Screen::Memories, Some(Focus::Memory | Focus::Full)) => Self::Memory,
        }
    }

    /// Whether keys are commands here, not text or answers.
    #[must_use]
    pub fn is_browsing(self) -> bool {
        BROWSE.contains(&self)
    }

    /// The heading of its keys in help.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::List => "Memories",
            Self::Memory => "A memory's text",
            Self::Sources => "The sources of the prompt",
            Self::Prompt => "The text of the prompt",
            Self::File => "A file over the prompt",
            Self::Inbox => "Inbox",
            Self::InboxItem => "What is said about one that waits",
            Self::Rejected => "What was rejected",
            Self::Parts => "Parts of a change",
            Self::Checks => "Checks",
            Self::Finding => "What is said about a finding",
            Self::Walk => "Walking the worst",
            Self::WalkEnd => "The end of a walk",
            Self::Verify => "Verifying a memory",
            Self::Silence => "Silencing",
            Self::Moving => "Moving to another store",
            Self::Nearest => "The nearest memories",
            Self::Stores => "Stores",
            Self::Recall => "Recall",
            Self::Candidate => "What stands beside the candidates",
            Self::Query => "While typing a query",
            Self::Filter => "While typing a filter",
            Self::Input => "While typing something else",
            Self::Report => "Windows",
            Self::Question => "Questions",
            Self::Help => "Help",
            Self::Palette => "Palette",
            Self::Edit => "The editor",
            Self::EditLeave => "Unsaved text",
            Self::EditRefused => "What a form can't save",
            Self::EditOffer => "Text of an earlier time",
            Self::EditOutside => "Your own editor",
            Self::EditGone => "A memory that someone else deleted",
            Self::Conflict => "Two versions of a memory",
            Self::EditSaving => "Saving",
            Self::Sheet => "Small forms",
        }
    }
}
