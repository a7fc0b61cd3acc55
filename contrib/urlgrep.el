;;; urlgrep.el --- The URLs of a message, and the one at point  -*- lexical-binding: t; -*-

;; Author: The urlgrep authors <urlgrep@users.noreply.github.com>
;; Version: 0.1.0
;; Package-Requires: ((emacs "26.1"))
;; Keywords: mail, news, hypermedia, matching
;; URL: https://github.com/urlgrep/urlgrep
;; SPDX-License-Identifier: MIT OR Apache-2.0

;;; Commentary:

;; (load "/path/to/urlgrep.el") in the init file binds C-c u in Gnus and notmuch: it shows the URLs of the message.  Needs
;; urlgrep in the PATH.
;;
;; M-x urlgrep-browse-at-point opens the URL at point in any buffer, also if line ends or quote marks break it.

;;; Code:

(require 'browse-url)
(require 'json)
(require 'subr-x)

;; What the two mail readers define.
(defvar gnus-original-article-buffer)
(defvar gnus-summary-mode-map)
(defvar notmuch-show-mode-map)
(declare-function gnus-summary-select-article "gnus-sum")
(declare-function notmuch-show-get-message-id "notmuch-show")

(defvar urlgrep-program "urlgrep" "The name of the program.")

;; Programs for other schemes do more than show something.
(defvar urlgrep-schemes '("http" "https" "ftp" "gopher" "mailto" "news") "The schemes that are opened.")

(defvar urlgrep-list-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map special-mode-map)
    (define-key map (kbd "RET") #'urlgrep-open)
    (define-key map [mouse-2] #'urlgrep-open-at-click)
    (define-key map "n" #'urlgrep-next)
    (define-key map "j" #'urlgrep-next)
    (define-key map "p" #'urlgrep-previous)
    (define-key map "k" #'urlgrep-previous)
    (define-key map "w" #'urlgrep-copy)
    (define-key map "y" #'urlgrep-copy)
    (define-key map "/" #'isearch-forward)
    map)
  "The keys of a list of URLs.")

(define-derived-mode urlgrep-list-mode special-mode "URLs"
  "A list of URLs, one of which can be opened or copied.
\\{urlgrep-list-mode-map}"
  (setq truncate-lines t)
  (setq-local bidi-paragraph-direction 'left-to-right))

(defun urlgrep--visible (text)
  "TEXT with escapes for characters that are invisible or reorder others."
  (replace-regexp-in-string
   "[[:cntrl:]\u00ad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
   (lambda (char) (format "\\u%04X" (aref char 0)))
   text t t))

(defun urlgrep--insert (line)
  "Insert the match that LINE describes in JSON."
  (let* ((match (json-read-from-string line))
         (url (alist-get 'url match))
         (text (alist-get 'text match)))
    ;; What is not UTF-8 is no string, and no URL that could be opened.
    (when (stringp url)
      (insert (propertize (urlgrep--visible url) 'urlgrep-url url 'face 'link 'mouse-face 'highlight) "\n")
      (when (stringp text)
        (insert "    " (urlgrep--visible (string-join (split-string text) " ")) "\n")))))

(defun urlgrep-region (start end)
  "Show the URLs of the text between START and END in a buffer of their own."
  (let ((buffer (get-buffer-create "*URLs*"))
        (coding-system-for-read 'utf-8)
        (coding-system-for-write 'binary)
        (inhibit-read-only t)
        lines)
    (let ((from (current-buffer)))
      (with-temp-buffer
        (let ((to (current-buffer)))
          (with-current-buffer from
            (call-process-region start end urlgrep-program nil to nil "--no-config" "-u" "--json" "-")))
        (setq lines (split-string (buffer-string) "\n" t))))
    (with-current-buffer buffer
      (erase-buffer)
      (mapc #'urlgrep--insert lines)
      (when (zerop (buffer-size)) (insert "This message has no URLs.\n"))
      (goto-char (point-min))
      (urlgrep-list-mode))
    (pop-to-buffer buffer)))

(defun urlgrep--url ()
  "The URL of this line or of the line above it."
  (let ((at (line-beginning-position)))
    (or (get-text-property at 'urlgrep-url)
        (get-text-property (save-excursion (forward-line -1) (point)) 'urlgrep-url)
        (user-error "There is no URL here"))))

(defun urlgrep--browse (url)
  "Open URL, unless its scheme does more than show something."
  (unless (member (downcase (car (split-string url ":"))) urlgrep-schemes)
    (user-error "Only %s are opened" (string-join urlgrep-schemes ", ")))
  (browse-url url))

(defun urlgrep-open ()
  "Open the URL of this line."
  (interactive)
  (urlgrep--browse (urlgrep--url)))

(defvar urlgrep-around 200 "How many lines before and after point are read.")

(defun urlgrep--at (position)
  "The URL with the character after POSITION, or nil."
  (let* ((start (save-excursion (goto-char position) (forward-line (- urlgrep-around)) (point)))
         (end (save-excursion (goto-char position) (forward-line urlgrep-around) (line-end-position)))
         (before (encode-coding-string (buffer-substring-no-properties start position) 'utf-8-unix))
         (coding-system-for-read 'utf-8-unix)
         (coding-system-for-write 'utf-8-unix)
         (output (generate-new-buffer " *urlgrep*")))
    (unwind-protect
        (let* ((status (call-process-region start end urlgrep-program nil output nil "--no-config" "--input" "text"
                                            "--at" (number-to-string (length before)) "-"))
               (printed (with-current-buffer output (string-trim-right (buffer-string)))))
          (pcase status
            (0 printed)
            (1 nil)
            (_ (error "%s: %s" urlgrep-program printed))))
      (kill-buffer output))))

(defun urlgrep-at-point ()
  "The URL that point is in or at the end of, or nil."
  (or (urlgrep--at (point))
      (unless (bolp) (urlgrep--at (1- (point))))))

(defun urlgrep-browse-at-point ()
  "Open the URL at point."
  (interactive)
  (urlgrep--browse (or (urlgrep-at-point) (user-error "There is no URL at point"))))

(defun urlgrep-open-at-click (event)
  "Open the URL that the mouse EVENT is on."
  (interactive "e")
  (mouse-set-point event)
  (urlgrep-open))

(defun urlgrep-copy ()
  "Copy the URL of this line."
  (interactive)
  (let ((url (urlgrep--url)))
    (kill-new url)
    (message "Copied %s" (urlgrep--visible url))))

(defun urlgrep--move (step)
  "Go to the next line with a URL, in the direction of STEP."
  (let ((to (save-excursion
              (while (and (zerop (forward-line step))
                          (not (eobp))
                          (not (get-text-property (point) 'urlgrep-url))
                          (not (and (< step 0) (bobp)))))
              (and (get-text-property (point) 'urlgrep-url) (point)))))
    (when to (goto-char to))))

(defun urlgrep-next ()
  "Go to the next URL."
  (interactive)
  (urlgrep--move 1))

(defun urlgrep-previous ()
  "Go to the previous URL."
  (interactive)
  (urlgrep--move -1))

(defun urlgrep-gnus ()
  "Show the URLs of the selected article of Gnus."
  (interactive)
  (gnus-summary-select-article)
  (with-current-buffer gnus-original-article-buffer
    (urlgrep-region (point-min) (point-max))))

(defun urlgrep-notmuch ()
  "Show the URLs of the message at point in notmuch."
  (interactive)
  (let ((id (notmuch-show-get-message-id)))
    (with-temp-buffer
      (set-buffer-multibyte nil)
      (call-process "notmuch" nil t nil "show" "--format=raw" id)
      (urlgrep-region (point-min) (point-max)))))

(with-eval-after-load 'gnus-sum
  (define-key gnus-summary-mode-map (kbd "C-c u") #'urlgrep-gnus))

(with-eval-after-load 'notmuch-show
  (define-key notmuch-show-mode-map (kbd "C-c u") #'urlgrep-notmuch))

(provide 'urlgrep)
;;; urlgrep.el ends here
