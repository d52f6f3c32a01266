//! The one table of commands: names, keys, help, where they work and when they do not.
//!
//! It feeds dispatch, the footer, `?`, the palette and `docs/KEYS.md`.

mod available;
mod context;

use crate::app::model::Model;
pub(in crate::app) use available::can_promote;
use available::{
    always, can_ask_model, can_copy, can_edit, can_filter, can_fix, can_fix_all, can_merge, can_park,
    can_prove, can_reload, can_repair, can_repair_here, can_verify, has_answer, has_gone_draft, has_index,
    has_library, has_links, has_page, has_panes, has_search, has_store, has_subject, has_suggestion,
    has_trail, has_worst, in_form, in_index, is_checking, is_chosen, is_gated, on_answer, on_bench,
    on_candidate, on_entry, on_finding, on_item, on_link, on_memory, on_proposal, on_store,
};
pub use context::Context;
use context::{
    AT_MEMORY, BROWSE, CHECKS, DECIDING, EDIT_BACK, FIELDS, INBOX, INBOX_AND_REJECTED, LISTS, MEMORIES,
    MOVING, MOVING_TO, NEAREST, OVERLAYS, PANES, PARTS, PROMPT, PROMPT_AND_FILE, RECALL, REJECTED, RELOADING,
    SILENCE, UNDOING, VERIFIABLE, VERIFY, WALK, WALKING,
};

/// Why a command can't act now, for a person.
pub type Unavailable = String;

/// One command.
#[derive(Debug)]
pub struct Row {
    /// What `update` does.
    pub command: Command,
    /// Its name, for the palette and the configuration.
    pub name: &'static str,
    /// Its keys, unless the person chose others.
    pub keys: &'static [&'static str],
    /// One or two words for the footer; empty: not shown there.
    pub short: &'static str,
    /// What it does, in a sentence.
    pub help: &'static str,
    /// Where its keys work.
    pub contexts: &'static [Context],
    /// Whether it can act, and if not why.
    pub available: fn(&Model) -> Result<(), Unavailable>,
}

macro_rules! commands {
    ($($command:ident $name:literal $keys:tt $short:literal $contexts:tt $available:ident $help:literal;)*) => {
        /// The commands.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Command {
            $(#[doc = $help] $command,)*
        }

        /// Every command, in the order of the footer and of help.
        pub const COMMANDS: &[Row] = &[
            $(Row {
                command: Command::$command,
                name: $name,
                keys: &$keys,
                short: $short,
                help: $help,
                contexts: $contexts,
                available: $available,
            },)*
        ];
    };
}

commands! {
    Open "open" ["<enter>"] "open" (&[Context::List]) on_entry "Open the memory over the full width.";
    OpenFinding "open-finding" ["<enter>"] "open" CHECKS on_finding "Open the memory over the full width, on a narrow screen what is said about the finding first; Esc comes back.";
    FixFinding "fix" ["f"] "fix" CHECKS can_fix "Mend what was found: the first way that is named, at once where nobody could want otherwise.";
    FixAll "fix-all" ["F"] "" CHECKS can_fix_all "Mend every finding of this kind by replacing what it is about; asks, with each change.";
    OpenCandidate "open-candidate" ["<enter>"] "open" RECALL on_candidate "Open the memory over the full width, on a narrow screen what is said about it first; Esc and Backspace come back. On a query of before: ask it.";
    Ask "ask" ["/", "i"] "ask" RECALL has_store "Edit what is asked; the answer follows each key.";
    RecallView "recall-view" ["v"] "prompt, brought in" RECALL has_answer "Show why a memory is picked or not, the selector's prompt, or what would be brought into the conversation.";
    ShowUnmatched "show-unmatched" ["<space>"] "all" RECALL has_answer "Show what the filters leave out and what matches nothing; again to fold it.";
    MarkShown "mark-shown" ["s"] "shown already" RECALL on_answer "Take the memory for shown in this conversation already, so that it is not picked; again: not shown.";
    RecentTools "recent-tools" ["T"] "tools in use" RECALL has_store "Say which tools the agent used a moment ago: reference material on them is not picked, warnings about them are.";
    AskModel "ask-model" ["m"] "ask the model" RECALL can_ask_model "Ask the model command of your configuration which memories it would pick; asks the first time. Esc calls it off.";
    CopyRecall "copy-recall" ["Y"] "" RECALL has_answer "Copy the selector's prompt or what would be brought in where that shows, else the path of the memory (the terminal must allow OSC 52).";
    Silence "silence" ["s"] "silence" CHECKS on_finding "Report this no more: the finding, the check, here or everywhere, or the memory until a date; what is silenced is reported again.";
    TakeIt "take" ["y"] "yes" INBOX on_item "Approve the proposal: the memory and its line of the index are written; a change counts as reviewed. What is unsafe or out of date is asked about.";
    RefuseIt "refuse" ["n"] "no" INBOX on_item "Reject the proposal; it is kept, and known again. The reviewed version of a changed memory comes back, a deleted one too.";
    EditItem "edit-first" ["e"] "edit" INBOX on_item "Edit the proposal, which waits on, or the memory that was changed: saved, it counts as reviewed.";
    MergeInto "merge-into" ["m"] "merge" INBOX on_proposal "Make the proposal a change of the memory that says much the same.";
    Split "split" ["s"] "split" INBOX on_item "Take a change in parts: Space takes or leaves one, y applies.";
    AllOfOrigin "all-of-origin" ["a"] "this origin" INBOX is_gated "Take all of this origin that need no look of their own; asks, with each of them.";
    AllThatPass "all-that-pass" ["A"] "all that pass" INBOX is_gated "Approve all proposals that pass the gate, each as a step of history; asks, with each of them.";
    OpenItem "open-item" ["<enter>"] "" (&[Context::Inbox, Context::Rejected]) on_item "Go to what is said about it; Esc comes back.";
    NextItem "next-item" ["<right>", "l"] "next" (&[Context::InboxItem]) on_item "Go on to the next one: this one waits.";
    PreviousItem "previous-item" ["<left>", "h"] "" (&[Context::InboxItem]) on_item "Go back to the one before.";
    ByOrigin "by-origin" ["o"] "" INBOX has_store "Group by origin, or by what it is.";
    IfApproved "if-approved" ["="] "" INBOX on_proposal "Show what the next session would have or lack if the proposal were approved; nothing is written.";
    ShowRejected "rejected" ["r"] "rejected" INBOX_AND_REJECTED has_store "Show the proposals that were rejected; again for what waits.";
    TakeBack "take-back" ["t"] "take back" REJECTED on_item "Let the rejected proposal wait again.";
    AcceptAllChanges "accept-all-changes" [] "" INBOX has_store "Take every change for reviewed; asks, with each of them.";
    ReviewEverything "review-everything" [] "" INBOX has_store "Start the review with nothing: every memory is listed until it is accepted; asks.";
    ReviewFromNow "review-from-now" [] "" INBOX has_store "Start the review anew: the store as it is counts as reviewed; asks.";
    TogglePart "toggle-part" ["<space>"] "take or leave" PARTS always "Take this part, or leave it.";
    NextPart "next-part" ["j", "<down>", "<tab>"] "next" PARTS always "Go to the next part.";
    PreviousPart "previous-part" ["k", "<up>", "<s-tab>"] "" PARTS always "Go to the part before.";
    ApplyParts "apply-parts" ["y"] "apply" PARTS always "Take the chosen parts; the others go back.";
    LeaveParts "leave-parts" ["<esc>", "<c-c>"] "cancel" PARTS always "Leave the parts; nothing is changed.";
    OpenStore "open-store" ["<enter>"] "open" (&[Context::Stores]) on_store "Open the store under the cursor.";
    MergeStore "merge-store" ["M"] "merge into" (&[Context::Stores]) on_store "Move all memories of the store under the cursor into another store; asks, with each of them.";
    FollowLink "follow-link" ["<enter>"] "follow link" (&[Context::Memory]) on_link "Go to the memory that the chosen link leads to.";
    NextLink "next-link" ["<right>", "l"] "link" (&[Context::Memory]) has_links "Choose the next link: first the links out, then the links in.";
    PreviousLink "previous-link" ["<left>", "h"] "" (&[Context::Memory]) has_links "Choose the link before.";
    BeforeAfter "before-after" ["="] "" MEMORIES on_memory "Show what the next session would have or lack if the marked memories, else the one under the cursor, were deleted; nothing is written.";
    AsAgent "as-agent" ["a"] "" MEMORIES on_entry "Show a memory as the agent sees it when it reads the file, with the note about its age; again for the text as a person reads it.";
    Evidence "evidence" ["v"] "evidence" CHECKS on_finding "Show the file that the evidence stands in, at its line; again for the next one.";
    Grouping "group" ["o"] "group" CHECKS has_store "Group by severity, by check or by memory.";
    ShowSilenced "show-silenced" ["!"] "silenced" CHECKS has_store "Show what is silenced, to take it back; again for what is reported.";
    CopyFinding "copy-finding" ["Y"] "" CHECKS on_finding "Copy the finding with its evidence to the clipboard (the terminal must allow OSC 52).";
    StopChecks "stop-checks" [] "" CHECKS is_checking "Stop the checks that run in the background; what was found before stays.";
    Walk "walk" ["w"] "walk" AT_MEMORY has_worst "Walk through what is worth a look, one memory at a time, worst first: keep, fix, park, delete, snooze, later.";
    VerifyNext "next-claim" ["<enter>", "n", "<right>", "l"] "next" VERIFY always "Go on to the next claim; after the last one, to the decision.";
    VerifyBack "previous-claim" ["b", "<left>", "h"] "" VERIFY always "Go back to the claim before.";
    VerifyEvidence "claim-evidence" ["v"] "evidence" VERIFY always "Show the file that the evidence for the claim stands in, at its line; again for the next one.";
    WalkKeep "walk-keep" ["y"] "keep" WALK always "It is right as it stands: its findings are not shown again until it changes.";
    WalkFix "walk-fix" ["f"] "fix" WALK always "Mend what can be mended for sure, else what is worst, the first way that is named.";
    WalkEdit "walk-edit" ["e"] "edit" WALK can_edit "Edit the memory's file at what was found.";
    WalkAffirm "walk-still-true" ["t"] "still true" WALK on_memory "Say that it still holds: its age starts again.";
    WalkPark "walk-park" ["p"] "park" WALK can_park "Take it out of the index and keep its file; one that is out is put back.";
    WalkDelete "walk-delete" ["d"] "delete" WALK on_memory "Delete it; asks when other memories link to it.";
    WalkSnooze "snooze-memory" ["z"] "snooze" WALK always "Say nothing about it until a date.";
    WalkLater "later" ["n", "<right>"] "later" WALK always "Go on to the next one; this one comes up again another time.";
    WalkBack "walk-back" ["b", "<left>"] "" WALKING always "Go back to the one before; nothing is taken back.";
    WalkUndo "walk-undo" ["u"] "undo" WALKING always "Take back what was done last on this walk, and go back to that memory.";
    WalkClose "walk-close" ["<enter>", "q"] "close" (&[Context::WalkEnd]) always "Close the summary.";
    WalkEnd "walk-end" ["<esc>", "<c-c>"] "end" WALKING always "End the walk: tells how it went; again closes that.";
    SilenceFinding "silence-finding" ["s"] "this finding" SILENCE always "Report this finding no more on this memory.";
    SilenceUntilChanged "silence-until-changed" ["y"] "until it changes" SILENCE always "Report it no more until the memory changes.";
    SilenceCheck "silence-check" ["c"] "the check, here" SILENCE always "Report nothing of this check on this store.";
    SilenceForGood "silence-for-good" ["g"] "the check, everywhere" SILENCE always "Report nothing of this check anywhere: it is added to the configuration file.";
    Snooze "snooze" ["z"] "the memory, until a date" SILENCE always "Say nothing about this memory until a date.";
    Jump "jump" ["<enter>"] "source" PROMPT has_page "Go to where the row or the line comes from: a memory, or a file to look at.";
    Search "search" ["/"] "search" PROMPT has_page "Search the prompt.";
    NextHit "next-hit" ["n"] "" PROMPT has_search "Go on to the next place that the search found.";
    PreviousHit "previous-hit" ["N"] "" PROMPT has_search "Go back to the place before.";
    Opened "if-opened" ["o"] "if opened" PROMPT has_page "Show what else would load if the agent opened a file; an empty name takes it away.";
    CopyPrompt "copy-prompt" ["Y"] "copy" PROMPT_AND_FILE has_page "Copy the text that the next session gets, or the file that is shown, to the clipboard (the terminal must allow OSC 52).";
    AsIfApproved "as-if-approved" ["i"] "as if approved" PROMPT has_page "Show the prompt as if all proposals that pass the gate were approved; again for the prompt as it is.";
    Prove "prove" ["P"] "prove" PROMPT can_prove "Run the installed client on a mirror of what matters and compare what it sends with this text, byte for byte; its own words are learned first where they are not known. Esc calls it off.";
    SavePrompt "save-prompt" [] "" PROMPT_AND_FILE has_page "Save the text that the next session gets to a new file.";
    IndexAddOrphans "index-add-orphans" [] "" MEMORIES has_store "Add a line to the index for each memory that none names; asks, with the index before and after.";
    IndexDropDangling "index-drop-dangling" [] "" MEMORIES has_index "Take lines out of the index that name memories which are not there; asks.";
    IndexRemoveDuplicates "index-remove-duplicates" [] "" MEMORIES has_index "Take later lines about a memory out of the index when an earlier one names it; asks.";
    IndexMoveUp "index-move-up" [] "" MEMORIES in_index "Move the index lines of the marked memories, else of the one under the cursor, up over the cut; asks.";
    IndexShorten "index-shorten" [] "" MEMORIES in_index "Propose a shorter index line for the memory under the cursor, to be edited; asks.";
    IndexRebuild "index-rebuild" [] "" MEMORIES has_store "Write the index anew from the memories, by type, the newest first; asks.";
    Leave "leave" ["<esc>"] "" BROWSE always "Undo one layer: leave the memory, then clear the filter, then the marks.";
    Edit "edit" ["e"] "edit" DECIDING can_edit "Edit the memory in a form: its name, description, type, other keys, and the parts of its text.";
    Describe "find-better-description" ["D"] "" AT_MEMORY can_edit "Edit the description alone, and see with each key where the memory stands for queries, as it is and as it would be.";
    EditOutside "edit-outside" ["E"] "" AT_MEMORY can_edit "Edit the memory's file in your own editor ($VISUAL, else $EDITOR), on a private copy.";
    GoneDraft "unsaved-text-of-gone" [] "" MEMORIES has_gone_draft "Bring back unsaved text of a memory that is no longer there.";
    Mark "mark" ["<space>"] "mark" MEMORIES on_memory "Mark the memory, or take its mark away; marks win over the cursor.";
    Range "mark-range" ["v"] "" (&[Context::List]) on_memory "Start a range of marks at the cursor; again to keep it, Esc to drop it.";
    MarkAll "mark-all" ["*"] "" (&[Context::List]) has_store "Mark every memory shown; again to unmark them.";
    Delete "delete" ["d"] "delete" DECIDING on_memory "Delete the marked memories, else the one under the cursor; their lines leave the index. Asks when there are marks or other memories link there.";
    Affirm "still-true" ["t"] "still true" DECIDING on_memory "Say that the marked memories, else the one under the cursor, still hold: their age starts again, their text stays.";
    Verify "verify" ["V"] "verify" VERIFIABLE can_verify "Go through what one memory claims (paths, names, flags, settings, dates, links, newer memories, its own way to check it) with the evidence for each, and decide: still true, an edit, or removal. Nothing is run.";
    Merge "merge" ["m"] "merge" MEMORIES can_merge "Make the marked memories one; the index and the links to the others follow.";
    Repair "repair" ["f"] "fix yaml" MEMORIES can_repair "Put quotes around the values that YAML reads otherwise than they are written, or can't read.";
    VerifyLeave "leave-claims" ["<esc>", "<c-c>"] "undecided" VERIFY always "Leave the claims without a decision; what is still being looked up is given up.";
    Undo "undo" ["u"] "undo" UNDOING has_store "Undo the last operation on this store, after a restart too.";
    Redo "redo" ["<c-r>"] "" UNDOING has_store "Redo what was undone last.";
    Filter "filter" ["/"] "filter" LISTS can_filter "Filter by words in name, description or body, by type:feedback, by flag:not-seen or flag:unused; all must hold. Stores go by their names. Enter keeps it, Esc clears it.";
    Park "park" ["p"] "park" DECIDING can_park "Take memories out of the index and keep their files; those that are out are put back.";
    Order "order" ["o"] "order" MEMORIES has_store "Order by age (newest, oldest), name or size.";
    Flagged "only-flagged" ["!"] "flagged" MEMORIES has_store "Show only what has a flag or a finding; again for all.";
    CopyPath "copy-path" ["Y"] "" (&[Context::List]) on_entry "Copy the path of the marked memories, else of the one under the cursor, to the clipboard (the terminal must allow OSC 52).";
    CopyText "copy-text" ["Y"] "copy" (&[Context::Memory]) on_entry "Copy the text of the memory to the clipboard (the terminal must allow OSC 52).";
    Back "back" ["<bs>"] "" MEMORIES has_trail "Go back to where a link was followed, or to the screen that the memory was opened from.";
    EditFile "edit-file" ["E"] "edit" (&[Context::File]) always "Edit this file in your own editor ($VISUAL, else $EDITOR); the prompt is worked out again.";
    NextPane "next-pane" ["<tab>"] "" PANES has_panes "Go to the other pane.";
    PreviousPane "previous-pane" ["<s-tab>"] "" PANES has_panes "Go to the pane before.";
    ShowMemories "memories" ["1"] "" BROWSE has_library "Show the memories of the open store.";
    ShowPrompt "prompt" ["2"] "" BROWSE has_subject "Show the text that the next session gets, with what does not load and why.";
    ShowInbox "inbox" ["3"] "" BROWSE has_library "Show what waits: proposals, and what others changed since the last review.";
    ShowChecks "checks" ["4"] "" BROWSE has_library "Show what is found on the memories of the open store, worst first.";
    ShowStores "stores" ["5"] "" BROWSE always "Show the stores on this machine.";
    ShowRecall "recall" ["6"] "" BROWSE has_library "Show which memories would be picked for a query, and why.";
    Reload "reload" ["<f5>"] "" RELOADING can_reload "Read the store, all that makes up the prompt, or the list of stores again.";
    Palette "palette" [":"] "commands" BROWSE always "Choose from all commands by name.";
    Help "help" ["?"] "help" MOVING always "Show every key; type to search.";
    Quit "quit" ["q", "<c-c>"] "quit" BROWSE always "Leave; what is being written is finished first.";
    Suspend "suspend" ["<c-z>"] "" MOVING always "Put the program to sleep; `fg` in the shell wakes it.";
    Down "down" ["j", "<down>"] "" MOVING always "One line down.";
    Up "up" ["k", "<up>"] "" MOVING always "One line up.";
    PageDown "page-down" ["<pagedown>", "<c-f>"] "" MOVING always "One page down.";
    PageUp "page-up" ["<pageup>", "<c-b>"] "" MOVING always "One page up.";
    HalfDown "half-page-down" ["<c-d>"] "" MOVING always "Half a page down.";
    HalfUp "half-page-up" ["<c-u>"] "" MOVING always "Half a page up.";
    Top "top" ["g", "<home>"] "" MOVING always "To the top.";
    Bottom "bottom" ["G", "<end>"] "" MOVING always "To the end.";
    KeepFilter "keep-filter" ["<enter>"] "keep" (&[Context::Filter]) always "Keep the filter and go back to the list.";
    ClearFilter "clear-filter" ["<esc>", "<c-c>"] "clear" (&[Context::Filter]) always "Clear the filter.";
    FilterDown "filter-down" ["<down>", "<c-n>"] "" (&[Context::Filter]) always "One memory down while typing.";
    FilterUp "filter-up" ["<up>", "<c-p>"] "" (&[Context::Filter]) always "One memory up while typing.";
    KeepQuery "keep-query" ["<enter>"] "keep" (&[Context::Query]) always "Keep the query and go to the list.";
    LeaveQuery "leave-query" ["<esc>", "<c-c>"] "leave" (&[Context::Query]) always "Leave the field; Esc in the list clears the query.";
    EarlierQuery "earlier-query" ["<up>", "<c-p>"] "earlier" (&[Context::Query]) always "Bring back the query that was asked before.";
    LaterQuery "later-query" ["<down>", "<c-n>"] "" (&[Context::Query]) always "Go on to the query that was asked after that.";
    New "new" ["n"] "new" MEMORIES has_store "Write a new memory; its line in the index is added.";
    Rename "rename" ["R"] "" AT_MEMORY can_edit "Give the memory another name or file name; its line in the index and the links to it follow.";
    Promote "promote" ["P"] "" AT_MEMORY can_edit "Move the memory's text into a CLAUDE.md or a rule, of the project or your own; the memory goes.";
    MoveTo "move-to" ["M"] "" AT_MEMORY on_memory "Move or copy the marked memories, else the one under the cursor, to another store, or promote it to what every project loads; asks, with each file and its line of the index there.";
    ChoosePlace "choose-place" ["<enter>"] "choose" MOVING_TO always "Choose this place; what would be done is shown and asked about first.";
    MoveOrCopy "move-or-copy" ["<tab>"] "move or copy" MOVING_TO can_copy "Copy instead of moving, or move again.";
    Finish "finish" ["<c-s>"] "done" (&[Context::Sheet]) always "Do what the form says; merging and promoting are asked about.";
    Accept "accept" ["<enter>"] "ok" (&[Context::Input]) always "Take what is typed.";
    Cancel "cancel" ["<esc>", "<c-c>"] "cancel" (&[Context::Input]) always "Leave it.";
    Save "save" ["<c-s>"] "save" (&[Context::Edit]) always "Save, as the kind of change that it is: the footer says which. Substance renews the age, a correction keeps it.";
    SaveOther "save-as-other" ["<a-s>", "<f4>"] "" (&[Context::Edit]) always "Save as the other kind: substance as a correction, or the other way round.";
    NextField "next-field" ["<tab>"] "next" FIELDS in_form "Go to the next field.";
    PreviousField "previous-field" ["<s-tab>"] "" FIELDS in_form "Go to the field before.";
    StopEditing "stop-editing" ["<esc>", "<c-c>"] "leave" FIELDS always "Leave the editor; asks when there is unsaved text.";
    TurnView "raw" ["<a-r>", "<f2>"] "raw" (&[Context::Edit]) always "Go from the form to the raw file, or back.";
    RepairField "repair-field" ["<a-q>", "<f6>"] "quote" (&[Context::Edit]) can_repair_here "Quote the field's value, so that YAML reads it as it is written; else all that need it.";
    TakeSuggestion "take-suggestion" ["<a-t>", "<f8>"] "take the proposed one" (&[Context::Edit]) has_suggestion "Take the proposed description into the field; nothing is written before it is saved.";
    AddQuery "add-query" ["<a-a>", "<f7>"] "try a query" (&[Context::Edit]) on_bench "Try the description on one more query.";
    HelpWhileEditing "help-while-editing" ["<f1>"] "help" FIELDS always "Show every key; the text stays as it is.";
    SaveAndLeave "save-and-leave" ["s"] "save" (&[Context::EditLeave]) always "Save and leave the editor.";
    Discard "discard" ["d"] "discard" (&[Context::EditLeave]) always "Leave the editor and throw the unsaved text away.";
    OpenRaw "open-raw" ["r"] "raw file" (&[Context::EditRefused]) always "Open the raw file with all that the form can save; Ctrl-V puts in what it can't.";
    TakeDraft "take-draft" ["y"] "take it" (&[Context::EditOffer]) always "Go on with the unsaved text.";
    DropDraft "drop-draft" ["n"] "throw away" (&[Context::EditOffer]) always "Throw the unsaved text away and edit what is on the disk.";
    OutsideDone "outside-done" ["<enter>"] "done" (&[Context::EditOutside]) always "Read what the other program saved.";
    WriteAgain "write-again" ["w"] "write again" (&[Context::EditGone]) always "Write the memory again, with the text as it is edited.";
    NextConflict "next-conflict" ["j", "<down>", "<tab>"] "next" (&[Context::Conflict]) always "Go to the next conflict.";
    PreviousConflict "previous-conflict" ["k", "<up>", "<s-tab>"] "" (&[Context::Conflict]) always "Go to the conflict before.";
    KeepMine "keep-mine" ["m"] "mine" (&[Context::Conflict]) always "Keep what you wrote here.";
    KeepTheirs "keep-theirs" ["t"] "theirs" (&[Context::Conflict]) always "Keep what someone else wrote here.";
    KeepBoth "keep-both" ["b"] "both" (&[Context::Conflict]) always "Keep both here, theirs first.";
    AllMine "all-mine" ["M"] "" (&[Context::Conflict]) always "Keep what you wrote in every conflict.";
    AllTheirs "all-theirs" ["T"] "" (&[Context::Conflict]) always "Keep what someone else wrote in every conflict.";
    EditMerged "edit-merged" ["e"] "edit" (&[Context::Conflict]) always "Edit the lines yourself; conflicts that are open come in with both sides.";
    TakeMerged "take-merged" ["<enter>"] "take" (&[Context::Conflict]) is_chosen "Take what was chosen into the editor; nothing is written before it is saved.";
    BackToText "back-to-text" ["<esc>", "<c-c>"] "back" EDIT_BACK always "Go back; nothing is lost and nothing is written.";
    Yes "yes" ["y"] "yes" (&[Context::Question]) always "Do it.";
    No "no" ["n"] "no" (&[Context::Question]) always "Leave everything as it is.";
    Choose "choose" ["<enter>"] "run" (&[Context::Palette]) always "Run the command that is chosen.";
    TakeNearest "take-nearest" ["<enter>", "m"] "merge into it" NEAREST always "Make the proposal a change of the memory that is chosen.";
    NextNearest "next-nearest" ["j"] "" NEAREST always "The next of the nearest memories.";
    PreviousNearest "previous-nearest" ["k"] "" NEAREST always "The one before.";
    Close "close" ["<esc>", "<c-c>"] "close" OVERLAYS always "Close the window.";
    ScrollDown "scroll-down" ["<down>", "<c-n>"] "" OVERLAYS always "One line down in a window.";
    ScrollUp "scroll-up" ["<up>", "<c-p>"] "" OVERLAYS always "One line up in a window.";
    ScrollPageDown "scroll-page-down" ["<pagedown>"] "" OVERLAYS always "One page down in a window.";
    ScrollPageUp "scroll-page-up" ["<pageup>"] "" OVERLAYS always "One page up in a window.";
}

impl Command {
    /// Its row in the table.
    #[must_use]
    pub fn row(self) -> &'static Row {
        // Every command is made from a row, so the search always ends in it.
        COMMANDS.iter().find(|row| row.command == self).unwrap_or(&FALLBACK)
    }
}

const FALLBACK: Row = Row {
    command: Command::Leave,
    name: "leave",
    keys: &[],
    short: "",
    help: "",
    contexts: &[],
    available: always,
};
