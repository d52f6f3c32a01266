//! The six commands as JSON, read strictly: what has another type than the interface says is an error that names
//! the field.

use serde_json::Value;

/// One command of the memory tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Show a file, or list a directory.
    View(View),
    /// Make a file.
    Create(Create),
    /// Replace text that occurs once in a file.
    StrReplace(StrReplace),
    /// Insert lines into a file.
    Insert(Insert),
    /// Remove a file or a directory.
    Delete(Delete),
    /// Rename a file or a directory.
    Rename(Rename),
}

/// Show a file, or list a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// Which.
    pub path: String,
    /// The first and the last line to show, from 1; a last line of -1 is the end. Other lengths are ignored.
    pub view_range: Option<Vec<i64>>,
}

/// Make a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Create {
    /// Where.
    pub path: String,
    /// What it holds.
    pub file_text: String,
}

/// Replace text that occurs once in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StrReplace {
    /// In which file.
    pub path: String,
    /// What goes.
    pub old_str: String,
    /// What comes instead.
    pub new_str: String,
}

/// Insert lines into a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insert {
    /// Into which file.
    pub path: String,
    /// After which line; 0: at the beginning.
    pub insert_line: i64,
    /// What.
    pub insert_text: String,
}

/// Remove a file or a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delete {
    /// Which.
    pub path: String,
}

/// Rename a file or a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rename {
    /// Which.
    pub old_path: String,
    /// To which name.
    pub new_path: String,
}

impl Command {
    /// Reads a command from the input of a tool call.
    ///
    /// # Errors
    /// What is wrong with it, with the field's name.
    pub fn read(value: &Value) -> Result<Self, String> {
        let Value::Object(_) = value else { return Err("A command is a JSON object.".into()) };
        let name = text(value, "command")?;
        Ok(match name.as_str() {
            "view" => Self::View(View { path: text(value, "path")?, view_range: range(value)? }),
            "create" => {
                Self::Create(Create { path: text(value, "path")?, file_text: text(value, "file_text")? })
            }
            "str_replace" => Self::StrReplace(StrReplace {
                path: text(value, "path")?,
                old_str: text(value, "old_str")?,
                new_str: text(value, "new_str")?,
            }),
            "insert" => Self::Insert(Insert {
                path: text(value, "path")?,
                insert_line: value
                    .get("insert_line")
                    .and_then(Value::as_i64)
                    .ok_or_else(|| wrong(value, "insert_line", "a whole number"))?,
                insert_text: text(value, "insert_text")?,
            }),
            "delete" => Self::Delete(Delete { path: text(value, "path")? }),
            "rename" => Self::Rename(Rename {
                old_path: text(value, "old_path")?,
                new_path: text(value, "new_path")?,
            }),
            other => return Err(format!("Unknown command: {other}")),
        })
    }

    /// Whether it only looks.
    #[must_use]
    pub const fn only_looks(&self) -> bool {
        matches!(self, Self::View(_))
    }
}

fn text(value: &Value, field: &str) -> Result<String, String> {
    let text = value.get(field).and_then(Value::as_str);
    text.map(str::to_owned).ok_or_else(|| wrong(value, field, "text"))
}

fn range(value: &Value) -> Result<Option<Vec<i64>>, String> {
    match value.get("view_range") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Array(numbers)) => {
            let numbers: Option<Vec<i64>> = numbers.iter().map(Value::as_i64).collect();
            numbers.map(Some).ok_or_else(|| wrong(value, "view_range", "two whole numbers"))
        }
        Some(_) => Err(wrong(value, "view_range", "two whole numbers")),
    }
}

fn wrong(value: &Value, field: &str, wanted: &str) -> String {
    match value.get(field) {
        None => format!("The field `{field}` is missing: it should be {wanted}."),
        Some(_) => format!("The field `{field}` should be {wanted}."),
    }
}
